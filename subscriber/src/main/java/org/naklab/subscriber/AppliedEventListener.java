package org.naklab.subscriber;

import org.naklab.messaging.feed.OrderEvent;

/** Is told on the business thread what became of the feed. It must not wait for anything. */
public interface AppliedEventListener {
    /** Does nothing. */
    AppliedEventListener NONE = new AppliedEventListener() {};

    /**
     * Takes an event that was applied to the books; it is that of the call only.
     *
     * @param dueNs when it was due, of {@link System#nanoTime()}'s clock; {@link org.naklab.messaging.feed.EventTimes#UNKNOWN} if
     *     it does not say
     */
    default void onApplied(OrderEvent event, long dueNs) {}

    /** Takes note that events of the feed have not come, from the given sequence to another. */
    default void onGap(long firstSequence, long lastSequence) {}

    /** Takes note that the book of an instrument is valid again: a snapshot of the service after the missing events shows the same best levels. */
    default void onConfirmed(int instrumentId) {}

    /** Takes note that the feed has ended. */
    default void onEnd() {}

    /** Takes note of the end of a batch. */
    default void onBatchEnd() {}
}
