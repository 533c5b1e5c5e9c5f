/** Latencies in histograms. */
@NullMarked
package org.naklab.messaging.latency;

import org.jspecify.annotations.NullMarked;
