package org.naklab.lab.replica.process;

/** What a process of the replica is there for. */
public enum Role {
    /** Sends the feed. */
    EXCHANGE,
    /** The market data service: journal, books, snapshots. */
    SERVICE,
    /** The control group: the same subscriber without journal and snapshots. */
    GATEWAY,
    /** No part of the replica: a tool of the lab. */
    TOOL
}
