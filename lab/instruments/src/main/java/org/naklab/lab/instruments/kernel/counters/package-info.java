/** Reads counters of the kernel that tell about a stall or a loss: quotas, freezers, the network, reclaim, file locks. */
@NullMarked
package org.naklab.lab.instruments.kernel.counters;

import org.jspecify.annotations.NullMarked;
