package org.naklab.lab.process;

/** What a growing figure was over the last while. Not thread-safe. */
final class ThreadHistory {
    static final long UNKNOWN = -1;
    private static final int SAMPLES = 256;

    private final long[] timesNs = new long[SAMPLES];
    private final long[] values = new long[SAMPLES];
    private int count;

    void add(long timeNs, long value) {
        timesNs[count % SAMPLES] = timeNs;
        values[count % SAMPLES] = value;
        count++;
    }

    /** By how much it grew from the last sample before that time until the newest; -1 when nothing is known. */
    long growthSince(long beginNs) {
        if (count == 0) {
            return UNKNOWN;
        }
        int newest = count - 1;
        int before = newest;
        while (before > Math.max(0, count - SAMPLES) && timesNs[before % SAMPLES] - beginNs > 0) {
            before--;
        }
        return values[newest % SAMPLES] - values[before % SAMPLES];
    }
}
