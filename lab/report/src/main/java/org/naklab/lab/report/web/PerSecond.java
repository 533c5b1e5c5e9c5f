package org.naklab.lab.report.web;

import java.util.function.LongSupplier;
import org.naklab.lab.core.Units;

/** Limits how often something is done: one who asks too often is refused. Safe for several threads. */
public final class PerSecond {
    private final LongSupplier clock;
    private final int most;
    private long secondNs;
    private int count;

    /**
     * Begins to count.
     *
     * @param clock ns
     * @param most in a second
     */
    public PerSecond(LongSupplier clock, int most) {
        this.clock = clock;
        this.most = most;
        secondNs = clock.getAsLong();
    }

    /** Counts one more, and returns false if there were too many in this second. */
    public synchronized boolean allows() {
        long nowNs = clock.getAsLong();
        if (nowNs - secondNs >= Units.SECOND_NS) {
            secondNs = nowNs;
            count = 0;
        }
        count++;
        return count <= most;
    }
}
