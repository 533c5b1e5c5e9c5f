package org.naklab.lab.instruments.series;

import java.util.HashMap;
import java.util.Map;

/**
 * The latest samples, in arrays allocated once. What is overwritten leaves the value of its series behind, so that a window can
 * begin with what held then. One thread.
 */
public final class SampleHistory {
    private final Series[] series;
    private final long[] times;
    private final long[] values;
    private final Map<Series, Long> overwritten = new HashMap<>();
    private long count;

    /**
     * Creates an empty history.
     *
     * @param capacity samples; a thousand a second for each series that changes all the time
     */
    public SampleHistory(int capacity) {
        series = new Series[capacity];
        times = new long[capacity];
        values = new long[capacity];
    }

    public void add(long timeNs, Series of, long value) {
        int index = (int) (count % times.length);
        if (count >= times.length) {
            overwritten.put(series[index], values[index]);
        }
        series[index] = of;
        times[index] = timeNs;
        values[index] = value;
        count++;
    }

    /** Hands over the samples in a window, first for every series what held at its beginning. */
    public void write(long fromNs, long toNs, SampleConsumer consumer) {
        Map<Series, Long> base = new HashMap<>(overwritten);
        long oldest = Math.max(0, count - times.length);
        for (long i = oldest; i < count; i++) {
            int index = (int) (i % times.length);
            if (times[index] < fromNs) {
                base.put(series[index], values[index]);
            }
        }
        base.forEach((of, value) -> consumer.onSample(fromNs, of, value));
        for (long i = oldest; i < count; i++) {
            int index = (int) (i % times.length);
            if (times[index] >= fromNs && times[index] <= toNs) {
                consumer.onSample(times[index], series[index], values[index]);
            }
        }
    }

    public void clear() {
        count = 0;
        overwritten.clear();
    }
}
