/** Input and output that all commands share. */
@NullMarked
package org.naklab.lab.cli.terminal;

import org.jspecify.annotations.NullMarked;
