package org.naklab.messaging.feed;

/** The side of the resting order. */
public enum Side {
    BUY,
    SELL
}
