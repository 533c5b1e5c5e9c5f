package org.naklab.subscriber;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition; the test's own timeout is the longer one. */
final class Await {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(40);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("not within 40 s: " + what);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
