package org.naklab.messaging;

import org.naklab.messaging.publication.RateListener;

/**
 * Receives the events of a context. Called on the context thread, except for {@link #onRateLimitHit}, which is called on the
 * sender's thread, and for images that exist when a subscription is added, which are reported on the thread that adds it. An
 * implementation must not block. Times are {@link System#nanoTime()}, which on Linux is CLOCK_MONOTONIC.
 */
public interface ContextListener extends RateListener {
    /** Ignores all events. */
    ContextListener NONE = new ContextListener() {};

    /** Called once when the context thread starts, before any other event. */
    default void onThreadStart() {}

    /** Receives the begin and the end of a duty cycle, or of the gap between two, of at least the context's stall threshold. */
    default void onStall(long beginNs, long endNs) {}

    /** Receives the session of a publisher that appeared on a subscribed topic. */
    default void onImageAvailable(Topic topic, int sessionId, long timeNs) {}

    /** Receives the session of a publisher that left a subscribed topic. */
    default void onImageUnavailable(Topic topic, int sessionId, long timeNs) {}
}
