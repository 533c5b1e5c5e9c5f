package org.naklab.lab.detect;

import org.agrona.concurrent.NanoClock;

/**
 * Shows when the callback that runs now began. For one thread alone: a clock that others may read as well, such as Agrona's cached one,
 * orders each store before all that follows, which costs as much as a look at the system's clock.
 */
public final class CallbackClock implements NanoClock {
    private long beganNs;

    void update(long nowNs) {
        beganNs = nowNs;
    }

    @Override
    public long nanoTime() {
        return beganNs;
    }
}
