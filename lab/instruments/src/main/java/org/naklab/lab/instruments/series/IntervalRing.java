package org.naklab.lab.instruments.series;

import java.lang.invoke.VarHandle;
import org.agrona.concurrent.AtomicBuffer;

/**
 * The latest episodes (something with a beginning and an end) in shared memory, written by one thread and read by another, perhaps
 * of another process.
 *
 * <pre>
 *  0 episodes so far:64   8 longest in ns:64   16 unused
 * 64 ring of 256: { beginning:64, end:64 }
 * </pre>
 */
public final class IntervalRing {
    static final int CAPACITY = 256;
    public static final int LENGTH = 64 + CAPACITY * 16;

    private final AtomicBuffer buffer;
    private final int base;

    public IntervalRing(AtomicBuffer buffer, int base) {
        this.buffer = buffer;
        this.base = base;
    }

    /** Logs an interval that has ended. Writer only. */
    public void add(long beginNs, long endNs) {
        long count = buffer.getLong(base);
        int entry = entryOffset(count);
        // A reader that sees the entry change must see that the one before this was added, or it takes the entry for
        // intact.
        VarHandle.storeStoreFence();
        buffer.putLong(entry, beginNs);
        buffer.putLong(entry + 8, endNs);
        buffer.putLongRelease(base, count + 1);
    }

    /** Keeps the longest interval, whether or not it is long enough to be logged. Writer only. */
    public void considerLongest(long beginNs, long endNs) {
        if (endNs - beginNs > buffer.getLong(base + 8)) {
            buffer.putLongRelease(base + 8, endNs - beginNs);
        }
    }

    public long count() {
        return buffer.getLongVolatile(base);
    }

    public long longestNs() {
        return buffer.getLongVolatile(base + 8);
    }

    /** Returns the begin of an episode that is among the last {@link #CAPACITY}. */
    long beginNs(long index) {
        return buffer.getLong(entryOffset(index));
    }

    long endNs(long index) {
        return buffer.getLong(entryOffset(index) + 8);
    }

    private int entryOffset(long index) {
        return base + 64 + (int) (index % CAPACITY) * 16;
    }
}
