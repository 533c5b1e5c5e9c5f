package org.naklab.lab.instruments.sampling;

import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.instruments.linux.NativeMemory;
import org.naklab.lab.instruments.linux.NativeSampler;

/**
 * Buffers the values of a word of memory at the ticks of its own period, recorded by {@link NativeSampler};
 * {@code naklab_sampler.c} has the same table. The thread that ticks also takes the readings; not thread-safe.
 *
 * <pre>
 *  0 period:64  8 next reading is due:64  16 room for readings:32  20 readings:32
 * 24 { time:64  value:64 } for each reading
 * </pre>
 */
final class ReadingBuffer {
    private static final int PERIOD = 0;
    private static final int NEXT = 8;
    private static final int CAPACITY = 16;
    private static final int READINGS = 20;
    private static final int HEADER_LENGTH = 24;
    private static final int READING_LENGTH = 16;

    private final NativeMemory memory;
    private final UnsafeBuffer view;

    /** @param nowNs the first reading is a period from now */
    ReadingBuffer(long nowNs, long periodNs, int capacity) {
        memory = new NativeMemory(HEADER_LENGTH + capacity * READING_LENGTH);
        view = memory.view();
        view.putLong(PERIOD, periodNs);
        view.putLong(NEXT, nowNs + periodNs);
        view.putInt(CAPACITY, capacity);
    }

    long address() {
        return memory.address();
    }

    /** Passes the readings to the consumer in order, and removes them. */
    void take(Consumer consumer) {
        int readings = view.getInt(READINGS);
        for (int i = 0; i < readings; i++) {
            int offset = HEADER_LENGTH + i * READING_LENGTH;
            consumer.onReading(view.getLong(offset), view.getLong(offset + Long.BYTES));
        }
        view.putInt(READINGS, 0);
    }

    /** Receives the readings of a word of memory. */
    @FunctionalInterface
    interface Consumer {
        void onReading(long timeNs, long value);
    }
}
