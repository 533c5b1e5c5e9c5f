package org.naklab.messaging;

/** How the transport treats slow receivers and loss; every run says which. */
public enum TransportProfile {
    /** Like LBT-RM: receivers' windows are ignored, NAKs back off 25 to 75 ms, retransmission is rate-limited. */
    LBTRM,
    /** Aeron's own defaults. */
    AERON
}
