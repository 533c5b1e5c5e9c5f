package org.naklab.subscriber;

import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;

/**
 * Tells what to add to a monotonic timestamp to get nanoseconds since the epoch, so that receipt reads one clock only. Not
 * thread-safe; allocates nothing.
 */
final class EpochOffset {
    /** A longer gap between the readings says that the thread lost the processor between them. */
    private static final long MAX_WINDOW_NS = 2_000;

    private static final int MAX_TRIES = 10;

    private final NanoClock nanoClock;
    private final EpochNanoClock epochNanoClock;
    private boolean isKnown;
    private long offsetNs;

    EpochOffset(NanoClock nanoClock, EpochNanoClock epochNanoClock) {
        this.nanoClock = nanoClock;
        this.epochNanoClock = epochNanoClock;
    }

    /** Reads the clocks anew; keeps the offset of before when they cannot be read at about the same time. */
    long refresh() {
        int tries = isKnown ? 1 : MAX_TRIES;
        for (int i = 0; i < tries; i++) {
            long beginNs = nanoClock.nanoTime();
            long epochNs = epochNanoClock.nanoTime();
            long windowNs = nanoClock.nanoTime() - beginNs;
            if (windowNs <= MAX_WINDOW_NS || (i == tries - 1 && !isKnown)) {
                offsetNs = epochNs - beginNs - windowNs / 2;
                isKnown = true;
                return offsetNs;
            }
        }
        return offsetNs;
    }
}
