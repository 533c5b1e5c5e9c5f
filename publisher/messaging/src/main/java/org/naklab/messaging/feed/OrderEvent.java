package org.naklab.messaging.feed;

/**
 * One order book event, reused from event to event so that reading a feed allocates nothing. Fields that a type does not
 * carry are 0, and {@link Side#BUY} for the side.
 */
public final class OrderEvent {
    public EventType type = EventType.ADD;
    public Side side = Side.BUY;
    /** Feed sequence, from 1; 0 until the feed has given it one. */
    public long sequence;
    /** Nanoseconds after midnight of the exchange's day. */
    public long exchangeTimestampNs;

    public long orderId;
    /** Currency units times 10,000; for {@link EventType#EXECUTE} the price of the trade. */
    public long price;

    public int instrumentId;
    public int quantity;

    /** Sets every field but the sequence. */
    public OrderEvent set(
            EventType type,
            int instrumentId,
            long exchangeTimestampNs,
            long orderId,
            Side side,
            long price,
            int quantity) {
        this.type = type;
        this.instrumentId = instrumentId;
        this.exchangeTimestampNs = exchangeTimestampNs;
        this.orderId = orderId;
        this.side = side;
        this.price = price;
        this.quantity = quantity;
        return this;
    }

    /** Takes every field of another event. */
    public OrderEvent copyFrom(OrderEvent other) {
        sequence = other.sequence;
        return set(
                other.type,
                other.instrumentId,
                other.exchangeTimestampNs,
                other.orderId,
                other.side,
                other.price,
                other.quantity);
    }

    @Override
    public String toString() {
        return "#" + sequence + " " + type + " instrument=" + instrumentId + " t=" + exchangeTimestampNs + "ns order="
                + orderId + " " + side + " " + quantity + "@" + price;
    }
}
