package org.naklab.lab.report;

import java.util.Arrays;

/**
 * The samples of one series: a value holds until the next one. Bounded: of a series with more than {@link #MAX_SAMPLES} samples,
 * neighbours are merged so that extremes stay.
 */
public final class SampleSeries {
    static final int MAX_SAMPLES = 1 << 20;

    private static final int FIRST_CAPACITY = 1 << 10;

    private long[] timesNs = new long[FIRST_CAPACITY];
    private long[] values = new long[FIRST_CAPACITY];
    private int size;

    /** Adds a sample; times must not decrease. */
    public void add(long timeNs, long value) {
        if (size == timesNs.length) {
            makeRoom();
        }
        timesNs[size] = timeNs;
        values[size] = value;
        size++;
    }

    private void makeRoom() {
        if (size < MAX_SAMPLES) {
            timesNs = Arrays.copyOf(timesNs, size * 2);
            values = Arrays.copyOf(values, size * 2);
            return;
        }
        SampleSeries thinner = Downsampler.between(timesNs[0], timesNs[size - 1], MAX_SAMPLES / 8)
                .apply(this);
        System.arraycopy(thinner.timesNs, 0, timesNs, 0, thinner.size);
        System.arraycopy(thinner.values, 0, values, 0, thinner.size);
        size = thinner.size;
    }

    public int size() {
        return size;
    }

    public long timeNs(int index) {
        return timesNs[index];
    }

    public long value(int index) {
        return values[index];
    }

    /** The largest value; 0 of none. */
    public long max() {
        return Arrays.stream(values, 0, size).max().orElse(0);
    }

    /** A counter's growth since its first sample. */
    SampleSeries sinceFirst() {
        SampleSeries growth = new SampleSeries();
        for (int i = 0; i < size; i++) {
            growth.add(timesNs[i], values[i] - values[0]);
        }
        return growth;
    }

    /** Returns this series with its last value extended to a time. */
    SampleSeries heldUntil(long timeNs) {
        SampleSeries held = new SampleSeries();
        for (int i = 0; i < size; i++) {
            held.add(timesNs[i], values[i]);
        }
        if (size > 0 && timesNs[size - 1] < timeNs) {
            held.add(timeNs, values[size - 1]);
        }
        return held;
    }
}
