package org.naklab.lab.tools.jitter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Hands stamps from one thread to another one, without locks and without allocation. */
final class StampRing {
    private static final int CAPACITY = 1 << 16;

    /** A cache line, and the one that the processor fetches with it. */
    private static final int PADDING = 16;

    private static final int PUBLISHED = PADDING;
    private static final int CONSUMED = 2 * PADDING;
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] stampsNs = new long[CAPACITY];
    private final long[] counts = new long[3 * PADDING];

    /** Returns whether so many messages can have been put without one that was not taken being overwritten. */
    boolean hasRoomFor(long messages) {
        return messages - (long) COUNT.getAcquire(counts, CONSUMED) < CAPACITY;
    }

    /** Publishes the stamp of a message; the numbers are consecutive. */
    void put(long message, long stampNs) {
        stampsNs[(int) message & (CAPACITY - 1)] = stampNs;
        COUNT.setRelease(counts, PUBLISHED, message + 1);
    }

    /** Returns whether that message has been put. */
    boolean has(long message) {
        return (long) COUNT.getAcquire(counts, PUBLISHED) > message;
    }

    /** Takes the stamp of a message that has been put. */
    long take(long message) {
        long stampNs = stampsNs[(int) message & (CAPACITY - 1)];
        COUNT.setRelease(counts, CONSUMED, message + 1);
        return stampNs;
    }
}
