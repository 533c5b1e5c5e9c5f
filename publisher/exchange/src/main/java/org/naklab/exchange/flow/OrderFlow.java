package org.naklab.exchange.flow;

import org.naklab.messaging.feed.OrderEvent;

/** A source of order book events, read by one thread. */
public interface OrderFlow extends AutoCloseable {
    /**
     * Fills {@code event}, all but its sequence.
     *
     * @return {@code false} at the end of the flow; the event is then left alone
     * @throws OrderFlowException when the source is bad or cannot be read; the message names the file and the row or offset
     */
    boolean next(OrderEvent event);

    @Override
    void close();
}
