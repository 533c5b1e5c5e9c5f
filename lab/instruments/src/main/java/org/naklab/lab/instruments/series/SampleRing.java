package org.naklab.lab.instruments.series;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.BitUtil;

/**
 * Hands samples that differ from the one before from the sampler's thread to the background's. Allocated once; when it is full, samples
 * are counted and lost, the sampler never waits.
 */
public final class SampleRing implements SampleSink {
    private final int mask;
    private final AtomicReferenceArray<Series> series;
    private final long[] times;
    private final long[] values;
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    /**
     * Creates an empty ring.
     *
     * @param capacity samples; a power of two
     */
    public SampleRing(int capacity) {
        if (!BitUtil.isPowerOfTwo(capacity)) {
            throw new IllegalArgumentException("capacity must be a power of two: " + capacity);
        }
        mask = capacity - 1;
        series = new AtomicReferenceArray<>(capacity);
        times = new long[capacity];
        values = new long[capacity];
    }

    @Override
    public void record(Series of, long timeNs, long value) {
        if (!of.changeTo(value)) {
            return;
        }
        long position = written.getPlain();
        if (position - read.getAcquire() > mask) {
            lost.incrementAndGet();
            return;
        }
        int index = (int) position & mask;
        series.setPlain(index, of);
        times[index] = timeNs;
        values[index] = value;
        written.setRelease(position + 1);
    }

    /** Hands over what is there; the background thread. */
    public int drain(List<SampleConsumer> consumers) {
        long from = read.getPlain();
        long to = written.getAcquire();
        for (long position = from; position < to; position++) {
            int index = (int) position & mask;
            Series of = series.getPlain(index);
            for (int i = 0; i < consumers.size(); i++) {
                consumers.get(i).onSample(times[index], of, values[index]);
            }
            read.setRelease(position + 1);
        }
        return (int) (to - from);
    }

    /** Samples that found no room. */
    public long lost() {
        return lost.get();
    }
}
