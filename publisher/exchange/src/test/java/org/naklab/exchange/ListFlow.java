package org.naklab.exchange;

import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** So many adds, and then, if told so, bad input. */
final class ListFlow implements OrderFlow {
    private final int events;
    private final boolean endsBadly;
    private int produced;

    ListFlow(int events, boolean endsBadly) {
        this.events = events;
        this.endsBadly = endsBadly;
    }

    @Override
    public boolean next(OrderEvent event) {
        if (produced == events) {
            if (endsBadly) {
                throw new OrderFlowException("flow.csv row 3: bad");
            }
            return false;
        }
        produced++;
        event.set(EventType.ADD, 1, produced, produced, Side.BUY, 100, 10);
        return true;
    }

    @Override
    public void close() {}
}
