package org.naklab.exchange;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition; the test's own timeout is the longer one. */
final class Await {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private Await() {}

    static void until(String condition, BooleanSupplier isMet) {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!isMet.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("not within 60 s: " + condition);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
