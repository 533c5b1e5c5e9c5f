package org.naklab.messaging.publication;

/** Tells what became of a message that was offered to a {@link ContextPublication}. */
public enum SendResult {
    /** On its way. */
    SENT,
    /** Accepted; it was the first over the budget and goes out when the rate-limit interval ends. */
    QUEUED,
    /** Refused and counted: the budget is spent and a message is queued already. Offer it again after the interval. */
    BLOCKED,
    /** Refused by the transport's own window, or its log is rotating. Offer it again. */
    BACK_PRESSURED,
    /** Nobody subscribes yet. Offer it again. */
    NOT_CONNECTED,
    /** The publication is closed, or it has reached the end of its stream; offering again is no use. */
    CLOSED;

    /** Returns whether the transport has taken the message over. */
    public boolean accepted() {
        return this == SENT || this == QUEUED;
    }
}
