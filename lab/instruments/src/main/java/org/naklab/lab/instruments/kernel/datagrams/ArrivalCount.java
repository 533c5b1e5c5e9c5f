package org.naklab.lab.instruments.kernel.datagrams;

/**
 * Counts the datagrams of one sender since the recording began.
 *
 * @param timeNs of the reading, ns
 * @param count datagrams
 * @param bytes with IP and UDP headers
 * @param firstNs arrival of the first, ns
 * @param lastNs arrival of the last, ns
 */
public record ArrivalCount(long timeNs, long count, long bytes, long firstNs, long lastNs) {}
