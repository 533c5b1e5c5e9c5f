/** Starts the processes of the replica and talks with them. */
@NullMarked
package org.naklab.lab.replica.process;

import org.jspecify.annotations.NullMarked;
