package org.naklab.messaging;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition; the test's own timeout is the longer one. */
final class Await {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    static void until(BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("the condition was not met within 30 s");
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private Await() {}
}
