package org.naklab.lab.detect;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Words of memory that the sampler looks at in each tick, so that instruments are sampled at once when one has something to say. One that
 * finds no room is read at its instrument's own period.
 *
 * <pre>
 * for each { address:64  last value:64  silence in ns, or 0:64 }
 * </pre>
 */
final class Words {
    private static final int WORD_LENGTH = 24;
    private static final int MAX_WORDS = 256;

    private final NativeMemory memory = new NativeMemory(MAX_WORDS * WORD_LENGTH);
    private final UnsafeBuffer table = memory.view();
    private int count;

    /** Heard once whenever it has changed. The buffer is mapped for as long as the sampler runs. */
    void addCounter(AtomicBuffer buffer, int offset) {
        add(buffer, offset, 0);
    }

    /** A time, heard in each tick while it is so long ago; {@link HeartbeatLayout#NOT_BEATING} is not. */
    void addTime(AtomicBuffer buffer, int offset, long silenceNs) {
        add(buffer, offset, silenceNs);
    }

    void clear() {
        count = 0;
    }

    long address() {
        return memory.address();
    }

    int count() {
        return count;
    }

    private void add(AtomicBuffer buffer, int offset, long silenceNs) {
        if (count < MAX_WORDS) {
            int entry = WORD_LENGTH * count++;
            table.putLong(entry, buffer.addressOffset() + offset);
            table.putLong(entry + 8, buffer.getLongVolatile(offset));
            table.putLong(entry + 16, silenceNs);
        }
    }
}
