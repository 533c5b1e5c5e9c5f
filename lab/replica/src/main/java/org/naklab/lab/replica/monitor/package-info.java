/** Measures, inside a process of the replica, what delays its own threads. */
@NullMarked
package org.naklab.lab.replica.monitor;

import org.jspecify.annotations.NullMarked;
