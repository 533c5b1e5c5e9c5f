package org.naklab.messaging;

/** Told of each duty cycle of a context, on its thread, by times that the context has read anyway. Must not block. */
@FunctionalInterface
public interface DutyCycleListener {
    /** A listener that takes no notice. */
    DutyCycleListener NONE = timeNs -> {};

    /**
     * All subscriptions have been polled, and no callback runs any more; timers and rate limits are next.
     *
     * @param timeNs as below
     */
    default void onPolled(long timeNs) {}

    /**
     * A duty cycle has ended; the context may idle now.
     *
     * @param timeNs by the context's clock, as a rule {@link System#nanoTime()}
     */
    void onCycleEnd(long timeNs);
}
