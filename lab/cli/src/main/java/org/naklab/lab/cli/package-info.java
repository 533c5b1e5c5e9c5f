/** The command line. */
@NullMarked
package org.naklab.lab.cli;

import org.jspecify.annotations.NullMarked;
