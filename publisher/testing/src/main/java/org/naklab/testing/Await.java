package org.naklab.testing;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Waits for conditions in tests. */
public final class Await {
    /** Long enough for a machine that stands still for a while; shorter than the default timeout of a test. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(1);

    private Await() {}

    /** Returns when a condition holds that speaks for itself; see {@link #until(String, BooleanSupplier)}. */
    public static void until(BooleanSupplier isMet) {
        until("the condition", isMet);
    }

    /**
     * Returns when the condition holds.
     *
     * @param condition as the failure names it
     * @param isMet is asked once a millisecond, on the thread of the caller
     * @throws org.awaitility.core.ConditionTimeoutException if the condition does not hold within 60 s
     */
    public static void until(String condition, BooleanSupplier isMet) {
        Awaitility.await(condition)
                .atMost(TIMEOUT)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL_INTERVAL)
                .pollInSameThread()
                .until(isMet::getAsBoolean);
    }
}
