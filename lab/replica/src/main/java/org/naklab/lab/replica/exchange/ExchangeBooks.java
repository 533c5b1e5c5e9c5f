package org.naklab.lab.replica.exchange;

import org.naklab.exchange.pacing.Pacer;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.AppliedEventListener;

/**
 * Tells customers of the exchange what it has sent. An event is told of when the feed takes the next one in hand: it was sent then. On the feed's thread, but for the
 * end.
 */
final class ExchangeBooks {
    private final AppliedEventListener listener;
    private final OrderEvent inHand = new OrderEvent();
    private boolean hasEvent;
    private boolean isOver;

    ExchangeBooks(AppliedEventListener listener) {
        this.listener = listener;
    }

    /** Returns the pacer of the feed, which sees each event once. */
    Pacer around(Pacer pacer) {
        return (next, index) -> {
            tell();
            inHand.copyFrom(next);
            inHand.sequence = index + 1;
            hasEvent = true;
            return pacer.dueNs(next, index);
        };
    }

    /** Tells the end; to be called when the feed's thread sends nothing more. */
    void end() {
        if (!isOver) {
            isOver = true;
            tell();
            listener.onEnd();
            listener.onBatchEnd();
        }
    }

    private void tell() {
        if (hasEvent) {
            hasEvent = false;
            listener.onApplied(inHand, System.nanoTime());
            listener.onBatchEnd();
        }
    }
}
