package org.naklab.messaging;

/**
 * What happens on the context thread, as it happens. Called on that thread (but for {@link #onRateLimitHit}, called on the
 * sender's, and images that are there when a subscription is added: on the thread that adds it), so an implementation must not block. Times are {@link System#nanoTime()}, which on Linux is CLOCK_MONOTONIC.
 */
public interface ContextListener {
    /** A listener that takes no notice. */
    ContextListener NONE = new ContextListener() {};

    /** The thread starts; called once, on it, before anything else is. */
    default void onThreadStart() {}

    /** A message was the first over the budget of its interval, and is queued. */
    default void onRateLimitHit(long timeNs) {}

    /** The interval ended, but the wake-up lock was held by someone else; the yield strategy is called next. */
    default void onWakeFailed(long timeNs) {}

    /** The yield strategy returned. */
    default void onYielded(long beginNs, long endNs) {}

    /** Blocked senders were woken. */
    default void onWakeUp(long timeNs, long blockedSends) {}

    /** One duty cycle, or the gap between two, took at least the context's stall threshold. */
    default void onStall(long beginNs, long endNs) {}

    /** A publisher of a subscribed topic appeared. */
    default void onImageAvailable(Topic topic, int sessionId, long timeNs) {}

    /** A publisher of a subscribed topic went. */
    default void onImageUnavailable(Topic topic, int sessionId, long timeNs) {}
}
