package org.naklab.lab.containers.relay;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The counters of a relay.
 *
 * @param refused frames that found the queue of the relay full
 */
public record RelayReport(
        @JsonUnwrapped Passed passed,
        @JsonUnwrapped Changed changed,
        @JsonUnwrapped Delays delays,
        @JsonUnwrapped Losses losses,
        long refused) {
    /**
     * Counts what came in and went out.
     *
     * @param taken datagrams that came
     * @param given datagrams that went back, copies included
     */
    public record Passed(long taken, long given) {}

    /**
     * Counts what was not passed on as it came.
     *
     * @param overtaken datagrams held back that at least one later datagram went before
     */
    public record Changed(long duplicated, long corrupted, long heldBack, long overtaken) {}

    /**
     * Contains the delays, those asked for and those of the relay.
     *
     * @param minDelayNs shortest stay of a datagram; 0 before the first
     * @param maxDelayNs longest stay
     * @param meanAddedNs mean of the stay beyond what the fault asks for: what the relay itself adds; 0 before the first
     * @param maxAddedNs longest stay beyond what the fault asks for
     */
    public record Delays(long minDelayNs, long maxDelayNs, long meanAddedNs, long maxAddedNs) {}

    /**
     * Contains what was dropped.
     *
     * @param lost datagrams that the relay lost on purpose
     * @param firstLost the first of them, in order, at most {@link org.naklab.faults.ProofLog#MAX_FIRINGS}
     */
    public record Losses(long lost, List<LostDatagram> firstLost) {
        public Losses {
            firstLost = List.copyOf(firstLost);
        }
    }

    /** Returns the report of a relay that no datagram has reached. */
    public static RelayReport none() {
        return new RelayReport(
                new RelayReport.Passed(0, 0),
                new RelayReport.Changed(0, 0, 0, 0),
                new RelayReport.Delays(0, 0, 0, 0),
                new RelayReport.Losses(0, List.of()),
                0);
    }
}
