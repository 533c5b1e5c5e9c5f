package org.naklab.lab.replica.monitor;

import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;

/**
 * Keeps the recent values of a growing counter: by default a quarter of a minute of a counter that grows with each sample,
 * longer of one that rests. Not thread-safe.
 */
public final class CounterHistory {
    public static final long UNKNOWN = -1;
    private static final int CHANGES = 1 << 13;

    private final int capacity;
    private final long[] timesNs;
    /** Times of the samples before the changes, which still read the earlier values. */
    private final long[] unchangedNs;

    private final long[] values;
    private int count;
    private long newestNs;

    CounterHistory() {
        this(CHANGES);
    }

    /** @param capacity changes that are kept */
    CounterHistory(int capacity) {
        this.capacity = capacity;
        timesNs = new long[capacity];
        unchangedNs = new long[capacity];
        values = new long[capacity];
    }

    /** Adds a value if it differs from the one before. */
    void add(long timeNs, long value) {
        long beforeNs = count == 0 ? timeNs : newestNs;
        newestNs = timeNs;
        if (count > 0 && values[(count - 1) % capacity] == value) {
            return;
        }
        timesNs[count % capacity] = timeNs;
        unchangedNs[count % capacity] = beforeNs;
        values[count % capacity] = value;
        count++;
    }

    /**
     * Returns the growth from the last sample before the interval to the first sample after it. The value before the first sample counts as the
     * first.
     *
     * @return {@link #UNKNOWN} if there is no sample after the interval, or none before it any longer
     */
    long growthIn(Interval interval) {
        if (count == 0 || newestNs - interval.endNs() < 0) {
            return UNKNOWN;
        }
        int oldest = Math.max(0, count - capacity);
        int after = count - 1;
        while (after > oldest && unchangedNs[after % capacity] - interval.endNs() >= 0) {
            after--;
        }
        int before = after;
        while (before > oldest && timesNs[before % capacity] - interval.beginNs() > 0) {
            before--;
        }
        if (before > 0 && timesNs[before % capacity] - interval.beginNs() > 0) {
            return UNKNOWN;
        }
        return values[after % capacity] - values[before % capacity];
    }

    /**
     * Returns the growth of a time in an interval, at most the length of the interval: the samples stand before and after it.
     *
     * @param unitNs nanoseconds of one count
     * @return milliseconds; {@link #UNKNOWN} as for {@link #growthIn}
     */
    double millisecondsIn(Interval interval, long unitNs) {
        long growth = growthIn(interval);
        return growth == UNKNOWN ? UNKNOWN : Math.min(growth * unitNs / Units.NS_PER_MS, interval.lengthMs());
    }
}
