/** Faults of the host: contention for CPU, memory and disk, and a stall of the whole machine. */
@NullMarked
package org.naklab.faults.host;

import org.jspecify.annotations.NullMarked;
