package org.naklab.lab.tools.jitter;

import java.util.ArrayList;
import java.util.List;

/** Keeps the outliers: late messages, those that were late for the same reason as one. Allocates nothing while it is used. */
final class LateMessages {
    private static final int CAPACITY = 100_000;

    private final long[] beginNs = new long[CAPACITY];
    private final long[] endNs = new long[CAPACITY];
    private final long[] dueNs = new long[CAPACITY];
    private final long[] sentNs = new long[CAPACITY];
    private final long[] readNs = new long[CAPACITY];
    private final long[] messages = new long[CAPACITY];
    private int count;
    private long notKept;
    /** Written by the measuring thread before the length, and read by another one after it. */
    private volatile long worstReadNs;

    private volatile long worstNs;

    /**
     * Adds a message. One that was due before the previous late one was read belongs to the same outlier: it waited behind it.
     *
     * @param due when it was to be sent, ns
     * @param sent when it was sent, ns
     * @param read when it was read, ns
     */
    void add(long due, long sent, long read) {
        if (read - due > worstNs) {
            worstReadNs = read;
            worstNs = read - due;
        }
        int last = count - 1;
        if (last >= 0 && due <= endNs[last]) {
            endNs[last] = read;
            messages[last]++;
            if (read - due > readNs[last] - dueNs[last]) {
                keep(last, due, sent, read);
            }
        } else if (count == CAPACITY) {
            notKept++;
        } else {
            beginNs[count] = due;
            endNs[count] = read;
            messages[count] = 1;
            keep(count, due, sent, read);
            count++;
        }
    }

    private void keep(int outlier, long due, long sent, long read) {
        dueNs[outlier] = due;
        sentNs[outlier] = sent;
        readNs[outlier] = read;
    }

    void clear() {
        count = 0;
        notKept = 0;
        worstNs = 0;
    }

    /** Returns the latest message so far; its latency is 0 if there is none. Any thread. */
    MeterLine.WorstSoFar worst() {
        long latencyNs = worstNs;
        return new MeterLine.WorstSoFar(latencyNs, worstReadNs);
    }

    /** Returns how many late messages were not kept because there were too many outliers. */
    long notKept() {
        return notKept;
    }

    List<Outlier> outliers() {
        List<Outlier> outliers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            outliers.add(new Outlier(beginNs[i], endNs[i], dueNs[i], sentNs[i], readNs[i], messages[i]));
        }
        return outliers;
    }
}
