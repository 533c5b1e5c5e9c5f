/** The main program that the processes of the replica share. */
@NullMarked
package org.naklab.lab.replica.child;

import org.jspecify.annotations.NullMarked;
