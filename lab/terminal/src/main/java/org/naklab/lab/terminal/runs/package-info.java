/** The options of the runs and their history, and what a finished run leaves there. */
@NullMarked
package org.naklab.lab.terminal.runs;

import org.jspecify.annotations.NullMarked;
