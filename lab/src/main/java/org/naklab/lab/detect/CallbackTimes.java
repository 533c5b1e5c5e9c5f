package org.naklab.lab.detect;

import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * Counts of times to within a hundredth, for a thread that has no time: to record one is an addition without an atomic
 * instruction, where a recorder that swaps histograms under its writer takes two. One thread records, another one takes.
 *
 * <p>Each power of two has 128 counts; below 256 ns each nanosecond has its own.
 */
final class CallbackTimes {
    private static final int SIGNIFICANT_DIGITS = 2;
    private static final long HIGHEST_NS = 60_000_000_000L;
    private static final int COUNTS_BITS = 7;
    private static final int COUNTS = 1 << COUNTS_BITS;
    private static final int LENGTH = indexOf(HIGHEST_NS) + 1;

    private final AtomicLongArray counts = new AtomicLongArray(LENGTH);
    private final long[] taken = new long[LENGTH];

    /** Times above a minute count as one. */
    void record(long ns) {
        int index = indexOf(Math.max(0, Math.min(ns, HIGHEST_NS)));
        counts.lazySet(index, counts.getPlain(index) + 1);
    }

    /** Times since this was last asked, in nanoseconds. */
    Histogram takeHistogram() {
        Histogram histogram = new Histogram(HIGHEST_NS, SIGNIFICANT_DIGITS);
        for (int i = 0; i < LENGTH; i++) {
            long count = counts.get(i);
            if (count != taken[i]) {
                histogram.recordValueWithCount(Math.min(lowestOf(i), HIGHEST_NS), count - taken[i]);
                taken[i] = count;
            }
        }
        return histogram;
    }

    private static int indexOf(long ns) {
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(ns) - COUNTS_BITS - 1);
        return shift * COUNTS + (int) (ns >>> shift);
    }

    private static long lowestOf(int index) {
        int shift = Math.max(0, index / COUNTS - 1);
        return (long) (index - shift * COUNTS) << shift;
    }
}
