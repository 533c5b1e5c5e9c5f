/** Starts the processes of the replica and talks with them. */
@NullMarked
package org.naklab.lab.process;

import org.jspecify.annotations.NullMarked;
