package org.naklab.lab.instruments.linux;

import java.util.List;
import java.util.stream.LongStream;

/**
 * A thread's share of a core in each tenth of a second, the last hour of them. Their median is what the thread takes: a hypervisor that
 * takes the processor away while the thread runs makes some of them great, and the mean with them, for the kernel counts that time as the
 * thread's if it is not told of it.
 */
public final class CpuUsageHistory {
    private static final int CAPACITY = 36_000;

    private final double[] shares = new double[CAPACITY];
    private long count;

    public synchronized void add(double share) {
        shares[(int) (count++ % CAPACITY)] = share;
    }

    /** Returns the number of intervals so far. */
    public synchronized long count() {
        return count;
    }

    /** Returns the shares from that index on in the order of time, 0 to 1 each; the oldest may have been overwritten. */
    public synchronized List<Double> since(long first) {
        return LongStream.range(Math.max(first, count - CAPACITY), count)
                .mapToObj(i -> shares[(int) (i % CAPACITY)])
                .toList();
    }
}
