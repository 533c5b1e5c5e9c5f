package org.naklab.exchange;

/** Who keeps a sender within its rate limit. */
public enum RateLimitMode {
    /** The transport's rate controller; a sender over the budget is blocked until the context's thread wakes it. */
    TRANSPORT,
    /**
     * The sender itself, before it offers; the transport has no limit to trip. With one, a context thread that is late to
     * refill its budget would trip it although the bytes are paced.
     */
    APPLICATION,
    NONE
}
