package org.naklab.lab.tools.buffers;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A stall at a rate, and the receive buffer that it needs.
 *
 * @param eventsPerSecond datagrams sent per second
 * @param stallNs during which nobody reads, ns
 * @param datagrams sent during the stall
 * @param arithmeticBytes datagrams times the bytes that the kernel counts for one, by its own accounting
 * @param measuredBytes the smallest buffer that lost none, as the kernel reports it; 0: even the largest that it grants lost some
 * @param lostInLargest datagrams lost with the largest buffer that the kernel grants; 0 if it was not needed
 */
public record BufferPoint(
        long eventsPerSecond,
        long stallNs,
        int datagrams,
        long arithmeticBytes,
        long measuredBytes,
        int lostInLargest) {
    /** Returns the measured size against the arithmetic; 0 if there is none. */
    @JsonProperty
    public double ratio() {
        return (double) measuredBytes / arithmeticBytes;
    }
}
