package org.naklab.lab.instruments.sampling;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a number at a period: in native code if it is a {@link MappedCounter} and somebody listens to words, otherwise whenever it is asked.
 * The sampler's thread.
 */
final class CounterReader implements Watchpoints.Source {
    /** Capacity of the buffer, in multiples of the longest interval between two calls of {@link #take}. */
    private static final int ROOM = 2;

    private final LongSupplier number;
    private final long periodNs;
    /** While somebody listens. */
    private @Nullable ReadingBuffer log;

    CounterReader(LongSupplier number, long periodNs) {
        this.number = number;
        this.periodNs = periodNs;
    }

    @Override
    public void addTo(Watchpoints words) {
        if (number instanceof MappedCounter mapped) {
            ReadingBuffer wanted = log == null ? newLog() : log;
            log = mapped.logIn(words, wanted) ? wanted : null;
        }
    }

    private ReadingBuffer newLog() {
        return new ReadingBuffer(System.nanoTime(), periodNs, (int) (ROOM * Instrument.CALM_PERIOD_NS / periodNs) + 1);
    }

    /** Returns the longest interval between two calls of {@link #take}, in ns. */
    long periodNs() {
        return log != null ? Instrument.CALM_PERIOD_NS : periodNs;
    }

    /** Takes the readings since the last call. */
    void take(long nowNs, ReadingBuffer.Consumer consumer) {
        if (log != null) {
            log.take(consumer);
        } else {
            consumer.onReading(nowNs, number.getAsLong());
        }
    }
}
