package org.naklab.faults.datagram;

/** As seen from the process that the endpoint belongs to. */
public enum Direction {
    INBOUND,
    OUTBOUND
}
