/** The command line: one class a command. What fails is one line on standard error; exit codes are the verdicts' (0 pass, 1 fail, 2 unknown), 64 for wrong usage and 69 for a port that is taken. */
@NullMarked
package org.naklab.lab.cli;

import org.jspecify.annotations.NullMarked;
