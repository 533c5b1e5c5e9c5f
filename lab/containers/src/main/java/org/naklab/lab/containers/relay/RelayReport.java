package org.naklab.lab.containers.relay;

/**
 * The counters of a relay.
 *
 * @param taken datagrams that came
 * @param given datagrams that went back, copies included
 * @param overtaken datagrams held back that at least one later datagram went before
 * @param minDelayNs shortest stay of a datagram; 0 before the first
 * @param maxDelayNs longest stay
 */
public record RelayReport(
        long taken,
        long given,
        long duplicated,
        long corrupted,
        long heldBack,
        long overtaken,
        long minDelayNs,
        long maxDelayNs) {}
