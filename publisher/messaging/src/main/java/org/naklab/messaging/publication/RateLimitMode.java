package org.naklab.messaging.publication;

/** Tells what keeps a publisher within its rate limit. */
public enum RateLimitMode {
    /** The transport's rate controller: a sender over the budget is blocked until the context thread wakes it. */
    TRANSPORT,
    /** The sender itself paces its messages before it offers them. */
    APPLICATION,
    /** No rate limit is in force. */
    NONE
}
