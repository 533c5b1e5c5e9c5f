package org.naklab.lab.containers.relay;

import java.util.List;

/**
 * The counters of a relay.
 *
 * @param taken datagrams that came
 * @param given datagrams that went back, copies included
 * @param overtaken datagrams held back that at least one later datagram went before
 * @param minDelayNs shortest stay of a datagram; 0 before the first
 * @param maxDelayNs longest stay
 * @param meanAddedNs mean of the stay beyond what the fault asks for: what the relay itself adds; 0 before the first
 * @param maxAddedNs longest stay beyond what the fault asks for
 * @param lost datagrams that the relay lost on purpose
 * @param firstLost the first of them, in order, at most {@link org.naklab.faults.ProofLog#MAX_FIRINGS}
 * @param refused frames that found the queue of the relay full
 */
public record RelayReport(
        long taken,
        long given,
        long duplicated,
        long corrupted,
        long heldBack,
        long overtaken,
        long minDelayNs,
        long maxDelayNs,
        long meanAddedNs,
        long maxAddedNs,
        long lost,
        List<LostDatagram> firstLost,
        long refused) {
    public RelayReport {
        firstLost = List.copyOf(firstLost);
    }

    /** Returns the report of a relay that no datagram has reached. */
    public static RelayReport none() {
        return new RelayReport(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), 0);
    }
}
