package org.naklab.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;

/** Waits for conditions in tests. */
public final class Await {
    /** Long enough for a machine that stands still for a while; shorter than the default timeout of a test. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(1);

    private Await() {}

    /** Returns when a condition holds that speaks for itself; see {@link #until(String, Callable)}. */
    public static void until(Callable<Boolean> isMet) {
        until("the condition", isMet);
    }

    /**
     * Returns when the condition holds.
     *
     * @param condition as the failure names it
     * @param isMet is asked once a millisecond, on the thread of the caller
     * @throws org.awaitility.core.ConditionTimeoutException if the condition does not hold within 60 s
     */
    public static void until(String condition, Callable<Boolean> isMet) {
        Awaitility.await(condition)
                .atMost(TIMEOUT)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL_INTERVAL)
                .pollInSameThread()
                .until(isMet);
    }

    /**
     * Returns the result when it is there. Its own {@code join()} would wait for ever: it does not hear the interrupt of a test whose time is up.
     *
     * @param what is waited for, as the failure names it
     * @throws org.awaitility.core.ConditionTimeoutException if it does not come within 60 s
     * @throws java.util.concurrent.CompletionException if it failed
     */
    public static <T> T result(String what, CompletableFuture<T> future) {
        until(what, future::isDone);
        return future.join();
    }
}
