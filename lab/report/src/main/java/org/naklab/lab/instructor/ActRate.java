package org.naklab.lab.instructor;

import java.util.function.LongSupplier;
import org.naklab.lab.core.Units;

/** Limits how often something is done: each act costs processes. Safe for several threads. */
final class ActRate {
    private final LongSupplier clock;
    private final int mostPerSecond;
    private long secondNs;
    private int acts;

    ActRate(LongSupplier clock, int mostPerSecond) {
        this.clock = clock;
        this.mostPerSecond = mostPerSecond;
        secondNs = clock.getAsLong();
    }

    /** Counts one more, and returns false if there were too many in this second. */
    synchronized boolean allows() {
        long nowNs = clock.getAsLong();
        if (nowNs - secondNs >= Units.SECOND_NS) {
            secondNs = nowNs;
            acts = 0;
        }
        acts++;
        return acts <= mostPerSecond;
    }
}
