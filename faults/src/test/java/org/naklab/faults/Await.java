package org.naklab.faults;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for a condition, with an end. */
public final class Await {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private Await() {}

    /** Returns when the condition holds; fails naming it when it does not come to hold. */
    public static void until(String what, BooleanSupplier condition) {
        long beginNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - beginNs > TIMEOUT_NS) {
                throw new AssertionError("never came: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
