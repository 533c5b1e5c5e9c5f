package org.naklab.lab.instruments.sampling;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.instruments.linux.NativeMemory;

/**
 * Words of memory that the sampler reads in each tick, so that an instrument is sampled at once when a word triggers. A word for which
 * there is no room is read at the period of its instrument.
 *
 * <pre>
 * for each { address:64  last value, or whether it was silent:64  silence in ns, or 0:64  address of a log, or 0:64 }
 * </pre>
 */
public final class Watchpoints {
    private static final int WORD_LENGTH = 32;
    private static final int MAX_WORDS = 256;
    private static final long NO_LOG = 0;

    private final NativeMemory memory = new NativeMemory(MAX_WORDS * WORD_LENGTH);
    private final UnsafeBuffer table = memory.view();
    private int count;

    /** Watches a counter: triggers once after each change. The buffer must stay mapped while the sampler runs. */
    public void addCounter(AtomicBuffer buffer, int offset) {
        add(buffer, offset, buffer.getLongVolatile(offset), 0, NO_LOG);
    }

    /** Watches a timestamp: triggers in each tick while it is older than {@code silenceNs}, and once when it recovers; {@link DutyCycleLayout#NOT_BEATING} does not trigger. */
    public void addTime(AtomicBuffer buffer, int offset, long silenceNs) {
        add(buffer, offset, 0, silenceNs, NO_LOG);
    }

    /**
     * Records a word at the period of the log; triggers when the log is full.
     *
     * @return whether there was room
     */
    boolean addLogged(AtomicBuffer buffer, int offset, ReadingBuffer log) {
        return add(buffer, offset, 0, 0, log.address());
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

    private boolean add(AtomicBuffer buffer, int offset, long last, long silenceNs, long logAddress) {
        if (count == MAX_WORDS) {
            return false;
        }
        int entry = WORD_LENGTH * count++;
        table.putLong(entry, buffer.addressOffset() + offset);
        table.putLong(entry + 8, last);
        table.putLong(entry + 16, silenceNs);
        table.putLong(entry + 24, logAddress);
        return true;
    }

    /** An instrument that is sampled at once when a watched word changes. */
    public interface Source {
        /** Adds the words of the instrument. Called on the sampler's thread whenever instruments were added or removed. */
        void addTo(Watchpoints words);
    }
}
