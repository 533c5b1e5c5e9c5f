package org.naklab.lab.instruments.sampling;

import java.util.function.LongSupplier;
import org.agrona.concurrent.AtomicBuffer;

/** A number in mapped memory that somebody else writes; it stays mapped for as long as anybody reads it. Any thread. */
public final class MappedCounter implements LongSupplier {
    private final AtomicBuffer buffer;
    private final int offset;

    public MappedCounter(AtomicBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
    }

    @Override
    public long getAsLong() {
        return buffer.getLongVolatile(offset);
    }

    /** Adds the counter to the log; returns false if there was no room. */
    boolean logIn(Watchpoints words, ReadingBuffer log) {
        return words.addLogged(buffer, offset, log);
    }
}
