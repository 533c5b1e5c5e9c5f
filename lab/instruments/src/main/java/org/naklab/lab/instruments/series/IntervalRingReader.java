package org.naklab.lab.instruments.series;

import java.lang.invoke.VarHandle;

/** A reader's place in an {@link IntervalRing}. One that falls behind by more than the log holds skips what is overwritten. */
public final class IntervalRingReader {
    /** The entry after the newest may be half written. */
    private static final int SAFE_CAPACITY = IntervalRing.CAPACITY - 1;

    private final IntervalRing log;
    private long nextIndex;
    private long beginNs;
    private long endNs;
    private long skipped;

    public IntervalRingReader(IntervalRing log) {
        this.log = log;
    }

    public IntervalRing log() {
        return log;
    }

    /** Goes to the next episode; false when there is none yet. */
    public boolean next() {
        while (nextIndex < log.count()) {
            skipOverwritten();
            beginNs = log.beginNs(nextIndex);
            endNs = log.endNs(nextIndex);
            // Only what was read before the count is known to be older than what the count speaks of.
            VarHandle.loadLoadFence();
            boolean intact = log.count() - nextIndex <= SAFE_CAPACITY;
            nextIndex++;
            if (intact) {
                return true;
            }
            skipped++;
        }
        return false;
    }

    private void skipOverwritten() {
        long oldest = log.count() - SAFE_CAPACITY;
        if (oldest > nextIndex) {
            skipped += oldest - nextIndex;
            nextIndex = oldest;
        }
    }

    public long beginNs() {
        return beginNs;
    }

    public long endNs() {
        return endNs;
    }

    long skipped() {
        return skipped;
    }
}
