/** Input and output that all commands share. */
@NullMarked
package org.naklab.lab.terminal;

import org.jspecify.annotations.NullMarked;
