package org.naklab.messaging.publication;

/**
 * Receives the events of a {@link RateController}. Times are {@link System#nanoTime()}, which on Linux is CLOCK_MONOTONIC. All
 * but {@link #onRateLimitHit} are called on the context thread, so an implementation must not block.
 */
public interface RateListener {
    /** Receives the time at which a message was queued as the first over the budget of its interval; called on the sender's thread. */
    default void onRateLimitHit(long timeNs) {}

    /** Receives the time at which the interval ended while another thread held the wake-up lock; the yield strategy is called next. */
    default void onWakeFailed(long timeNs) {}

    /** Receives the begin and the end of a call of the yield strategy. */
    default void onYielded(long beginNs, long endNs) {}

    /**
     * Receives the time at which blocked senders were woken.
     *
     * @param blockedSends sends that were refused in the interval
     */
    default void onWakeUp(long timeNs, long blockedSends) {}
}
