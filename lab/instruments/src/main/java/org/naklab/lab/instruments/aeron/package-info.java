/** Reads the counters and the loss report of Aeron media drivers, and detects gaps and bursts in streams. */
@NullMarked
package org.naklab.lab.instruments.aeron;

import org.jspecify.annotations.NullMarked;
