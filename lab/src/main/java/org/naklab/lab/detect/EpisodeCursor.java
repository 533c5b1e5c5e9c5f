package org.naklab.lab.detect;

import java.lang.invoke.VarHandle;

/** A reader's place in an {@link EpisodeLog}. One that falls behind by more than the log holds skips what is overwritten. */
final class EpisodeCursor {
    /** The entry after the newest may be half written. */
    private static final int SAFE_CAPACITY = EpisodeLog.CAPACITY - 1;

    private final EpisodeLog log;
    private long nextIndex;
    private long beginNs;
    private long endNs;
    private long skipped;

    EpisodeCursor(EpisodeLog log) {
        this.log = log;
    }

    EpisodeLog log() {
        return log;
    }

    /** Goes to the next episode; false when there is none yet. */
    boolean next() {
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

    long beginNs() {
        return beginNs;
    }

    long endNs() {
        return endNs;
    }

    long skipped() {
        return skipped;
    }
}
