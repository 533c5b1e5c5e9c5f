package org.naklab.lab.report.instructor;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits how often something is done: each act costs processes. Safe for several threads. */
final class ActRate {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

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
        if (nowNs - secondNs >= SECOND_NS) {
            secondNs = nowNs;
            acts = 0;
        }
        acts++;
        return acts <= mostPerSecond;
    }
}
