package org.naklab.subscriber.latency;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Number, median and maximum of latencies in intervals of time. Intervals are of {@value #FIRST_INTERVAL_MS} ms; when
 * {@value #MAX_INTERVALS} are full, each two become one, whose median is that of the one with more events. One thread records, in the
 * order of time, and allocates nothing.
 */
public final class LatencySeries {
    static final int FIRST_INTERVAL_MS = 20;
    static final int MAX_INTERVALS = 4_096;

    /** Latencies of an interval of which the median is taken; of more, every second, fourth … one. */
    private static final int MAX_SAMPLES = 1_024;

    private final int[] counts = new int[MAX_INTERVALS];
    private final long[] mediansNs = new long[MAX_INTERVALS];
    private final long[] maxesNs = new long[MAX_INTERVALS];
    private final long[] samples = new long[MAX_SAMPLES];
    private long intervalNs = TimeUnit.MILLISECONDS.toNanos(FIRST_INTERVAL_MS);
    private boolean hasBegun;
    private long beginNs;
    private int current;
    private int sampled;
    private int stride = 1;

    /**
     * An interval in which events were due.
     *
     * @param beginNs of the interval
     * @param count events
     */
    public record Entry(long beginNs, int count, long medianNs, long maxNs) {}

    /** Takes one interval after the other. */
    @FunctionalInterface
    public interface EntryConsumer {
        void accept(Entry entry);
    }

    /** Counts one latency; a time before that of the current interval counts in the current interval. */
    void record(long atNs, long latencyNs) {
        if (!hasBegun) {
            hasBegun = true;
            beginNs = atNs;
        }
        long index = (atNs - beginNs) / intervalNs;
        while (index >= MAX_INTERVALS) {
            endInterval();
            coarsen();
            index = (atNs - beginNs) / intervalNs;
        }
        if (index > current) {
            endInterval();
            current = (int) index;
        }
        take(latencyNs);
    }

    /** Returns the length of an interval, ns. */
    public long intervalNs() {
        return intervalNs;
    }

    /** Hands over the intervals with events in the order of time; only when nothing is recorded any more. */
    public void forEach(EntryConsumer consumer) {
        for (int i = 0; i <= current; i++) {
            if (counts[i] > 0) {
                long medianNs = i == current && sampled > 0 ? median() : mediansNs[i];
                consumer.accept(new Entry(beginNs + i * intervalNs, counts[i], medianNs, maxesNs[i]));
            }
        }
    }

    private void take(long latencyNs) {
        if (counts[current] % stride == 0) {
            if (sampled == MAX_SAMPLES) {
                thinOut();
            }
            samples[sampled] = latencyNs;
            sampled++;
        }
        counts[current]++;
        maxesNs[current] = Math.max(maxesNs[current], latencyNs);
    }

    private void thinOut() {
        sampled = MAX_SAMPLES / 2;
        for (int i = 0; i < sampled; i++) {
            samples[i] = samples[2 * i];
        }
        stride *= 2;
    }

    private void endInterval() {
        if (sampled > 0) {
            mediansNs[current] = median();
        }
        sampled = 0;
        stride = 1;
    }

    private long median() {
        Arrays.sort(samples, 0, sampled);
        return samples[(sampled - 1) / 2];
    }

    private void coarsen() {
        int half = MAX_INTERVALS / 2;
        for (int i = 0; i < half; i++) {
            int first = 2 * i;
            int second = first + 1;
            mediansNs[i] = counts[first] >= counts[second] ? mediansNs[first] : mediansNs[second];
            maxesNs[i] = Math.max(maxesNs[first], maxesNs[second]);
            counts[i] = counts[first] + counts[second];
        }
        Arrays.fill(counts, half, MAX_INTERVALS, 0);
        Arrays.fill(mediansNs, half, MAX_INTERVALS, 0);
        Arrays.fill(maxesNs, half, MAX_INTERVALS, 0);
        current /= 2;
        intervalNs *= 2;
    }
}
