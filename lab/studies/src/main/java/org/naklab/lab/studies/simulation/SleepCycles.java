package org.naklab.lab.studies.simulation;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The lengths of the sleeps of a thread that finds nothing to do. It notices an arrival, or a timer, at the end of the sleep into which that falls. A long
 * sleep is met more often than a short one, in proportion to its length.
 */
public final class SleepCycles {
    /** A thread that never sleeps. */
    static final SleepCycles NONE = of(0);

    private final long[] lengthsNs;
    /** For each length, the share of the time of sleeps that are not longer. */
    private final double[] shares;

    private SleepCycles(long[] lengthsNs, double[] shares) {
        this.lengthsNs = lengthsNs;
        this.shares = shares;
    }

    /** Returns sleeps of one length, ns. */
    public static SleepCycles of(long lengthNs) {
        return new SleepCycles(new long[] {lengthNs}, new double[] {1});
    }

    /** Returns sleeps as they were measured, ns; if there were none, the thread never sleeps. */
    public static SleepCycles of(Histogram measuredNs) {
        if (measuredNs.getTotalCount() == 0) {
            return NONE;
        }
        long[] lengths = new long[Math.toIntExact(distinct(measuredNs))];
        double[] times = new double[lengths.length];
        int i = 0;
        double total = 0;
        for (HistogramIterationValue value : measuredNs.recordedValues()) {
            lengths[i] = value.getValueIteratedTo();
            total += (double) value.getValueIteratedTo() * value.getCountAtValueIteratedTo();
            times[i++] = total;
        }
        double whole = total;
        return new SleepCycles(
                lengths, Arrays.stream(times).map(time -> time / whole).toArray());
    }

    private static long distinct(Histogram measuredNs) {
        long distinct = 0;
        for (HistogramIterationValue value : measuredNs.recordedValues()) {
            distinct += value.getCountAtValueIteratedTo() > 0 ? 1 : 0;
        }
        return distinct;
    }

    /** Returns whether the thread never sleeps. */
    boolean isNone() {
        return lengthsNs[lengthsNs.length - 1] == 0;
    }

    /** Returns the longest of the sleeps that fill half of the time, ns. */
    long usualNs() {
        return lengthsNs[indexOf(0.5)];
    }

    /** Draws the time from a moment to the end of the sleep that it falls into, ns. */
    long waitNs(SplittableRandom random) {
        if (isNone()) {
            return 0;
        }
        long lengthNs = lengthsNs.length == 1 ? lengthsNs[0] : lengthsNs[indexOf(random.nextDouble())];
        return random.nextLong(Math.max(1, lengthNs));
    }

    private int indexOf(double share) {
        int found = Arrays.binarySearch(shares, share);
        return Math.min(lengthsNs.length - 1, found >= 0 ? found : -found - 1);
    }
}
