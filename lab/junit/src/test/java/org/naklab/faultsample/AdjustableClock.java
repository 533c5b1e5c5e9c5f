package org.naklab.faultsample;

import org.agrona.concurrent.EpochClock;

/** A clock that a fault can set wrong. */
public final class AdjustableClock implements EpochClock {
    private volatile long offsetMs;

    @Override
    public long time() {
        return System.currentTimeMillis() + offsetMs;
    }

    public void offsetMs(long newOffsetMs) {
        offsetMs = newOffsetMs;
    }
}
