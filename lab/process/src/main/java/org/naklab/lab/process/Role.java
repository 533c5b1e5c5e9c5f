package org.naklab.lab.process;

/** The role of a process in the replica. */
public enum Role {
    /** Sends the feed. */
    EXCHANGE,
    /** The market data service: journal, books, snapshots. */
    SERVICE,
    /** The control group: the same subscriber without journal and snapshots. */
    GATEWAY,
    /** The clients of the service and the gateways. */
    CUSTOMERS,
    /** A tool of the lab, not a part of the replica. */
    TOOL
}
