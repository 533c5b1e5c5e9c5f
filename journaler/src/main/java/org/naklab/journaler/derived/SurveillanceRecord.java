package org.naklab.journaler.derived;

import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.Side;

/**
 * One record of the surveillance format: what happened to an order, when, and what the market looked like after it.
 *
 * @param bid the best price of the buyers
 * @param ask the best price of the sellers
 */
public record SurveillanceRecord(long sequence, Times times, Order order, Best bid, Best ask) {
    /**
     * Tells when it happened.
     *
     * @param receiveTimestampNs nanoseconds since the epoch
     * @param exchangeTimestampNs nanoseconds after midnight of the exchange's day
     */
    public record Times(long receiveTimestampNs, long exchangeTimestampNs) {}

    /**
     * Tells what happened to the order.
     *
     * @param price currency units times 10,000
     */
    public record Order(int instrumentId, long orderId, EventType type, Side side, long price, int quantity) {}

    /**
     * Tells the best price of a side, and the quantity at it.
     *
     * @param isThere whether the side has orders; otherwise price and quantity are 0
     * @param price currency units times 10,000
     */
    public record Best(boolean isThere, long price, long quantity) {}
}
