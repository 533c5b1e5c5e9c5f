package org.naklab.lab.replica.process;

/** Who keeps a sender below its rate. */
public enum RateLimiting {
    /** The transport's rate controller: budget per interval, refill on the context thread. */
    TRANSPORT,
    /** The sender's own code paces; the transport's limiter never trips. */
    APPLICATION,
    NONE
}
