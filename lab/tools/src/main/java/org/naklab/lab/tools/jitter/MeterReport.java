package org.naklab.lab.tools.jitter;

import java.util.List;
import org.naklab.lab.core.timeline.Interval;

/**
 * The measurement of one process.
 *
 * @param measuredFromNs when the warm-up ended, CLOCK_MONOTONIC in ns
 * @param histogram of the latencies in ns, compressed and in base 64, as HdrHistogram writes it
 * @param outliers in order of time
 * @param notKept late messages that are missing in the outliers
 * @param allocatedBytes by the receiving thread while it measured
 * @param injected pauses that the process made by itself
 * @param java version of the JVM
 */
record MeterReport(
        long measuredFromNs,
        String histogram,
        List<Outlier> outliers,
        long notKept,
        long allocatedBytes,
        List<Interval> injected,
        String java)
        implements MeterLine {}
