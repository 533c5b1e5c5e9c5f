/** Starts the processes of the replica and talks with them; the main program that they share. */
@NullMarked
package org.naklab.lab.replica.process;

import org.jspecify.annotations.NullMarked;
