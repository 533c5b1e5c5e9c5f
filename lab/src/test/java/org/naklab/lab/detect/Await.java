package org.naklab.lab.detect;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, not for a time. */
final class Await {
    private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(20);

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long endNs = System.nanoTime() + BOUND_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("never: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
