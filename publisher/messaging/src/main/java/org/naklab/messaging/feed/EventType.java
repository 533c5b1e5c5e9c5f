package org.naklab.messaging.feed;

/** Tells what happened to an order or an instrument; each is one sequenced message of {@code OrderBookEvents}. */
public enum EventType {
    /** A visible order rests. */
    ADD,
    /** A resting order shrinks by the event's quantity and keeps its place in the queue. */
    CANCEL_PART,
    /** A resting order leaves the book. */
    DELETE,
    /** A resting order trades; it shrinks by the event's quantity and leaves when nothing rests. */
    EXECUTE,
    /** A trade against liquidity that the book does not show; the book stays as it is. */
    HIDDEN_TRADE,
    HALT,
    RESUME
}
