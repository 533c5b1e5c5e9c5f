package org.naklab.faults.kind;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Holding a thread up for a precise time. */
final class PreciseDelay {
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private PreciseDelay() {}

    /** Returns at the deadline or a little after: sleeps as long as a wake-up may be late, then spins. */
    static void until(long deadlineNs) {
        long leftNs = deadlineNs - System.nanoTime();
        while (leftNs > 0) {
            if (leftNs > SPIN_NS) {
                LockSupport.parkNanos(leftNs - SPIN_NS);
            } else {
                Thread.onSpinWait();
            }
            leftNs = deadlineNs - System.nanoTime();
        }
    }
}
