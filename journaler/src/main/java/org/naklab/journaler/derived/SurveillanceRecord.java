package org.naklab.journaler.derived;

import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.Side;

/**
 * One record of the surveillance format: what happened to an order, when, and what the market looked like after it.
 *
 * @param receiveTimestampNs nanoseconds since the epoch
 * @param exchangeTimestampNs nanoseconds after midnight of the exchange's day
 * @param price currency units times 10,000, as the other prices
 * @param hasBid without it, bid price and quantity are 0
 * @param hasAsk without it, ask price and quantity are 0
 */
public record SurveillanceRecord(
        long sequence,
        long receiveTimestampNs,
        long exchangeTimestampNs,
        int instrumentId,
        long orderId,
        EventType type,
        Side side,
        long price,
        int quantity,
        boolean hasBid,
        long bidPrice,
        long bidQuantity,
        boolean hasAsk,
        long askPrice,
        long askQuantity) {}
