package org.naklab.messaging;

/** The side of the resting order. */
public enum Side {
    BUY,
    SELL
}
