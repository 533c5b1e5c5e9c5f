package org.naklab.lab.replica.monitor;

/**
 * What a growing figure was over the last while: by default a quarter of a minute of a figure that grows with each sample, longer of one that rests. Not
 * thread-safe.
 */
public final class CounterHistory {
    public static final long UNKNOWN = -1;
    private static final int CHANGES = 1 << 13;

    private final int capacity;
    private final long[] timesNs;
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
        values = new long[capacity];
    }

    /** Kept if it is another value than the one before. */
    void add(long timeNs, long value) {
        newestNs = timeNs;
        if (count > 0 && values[(count - 1) % capacity] == value) {
            return;
        }
        timesNs[count % capacity] = timeNs;
        values[count % capacity] = value;
        count++;
    }

    /**
     * By how much it grew from the last sample before that time until the newest; -1 when nothing is known of the time since then, or no
     * longer. What it was before the first sample counts as that.
     */
    long growthSince(long beginNs) {
        if (count == 0 || newestNs - beginNs < 0) {
            return UNKNOWN;
        }
        int oldest = Math.max(0, count - capacity);
        int before = count - 1;
        while (before > oldest && timesNs[before % capacity] - beginNs > 0) {
            before--;
        }
        if (before > 0 && timesNs[before % capacity] - beginNs > 0) {
            return UNKNOWN;
        }
        return values[(count - 1) % capacity] - values[before % capacity];
    }
}
