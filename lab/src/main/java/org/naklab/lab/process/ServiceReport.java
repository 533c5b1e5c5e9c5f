package org.naklab.lab.process;

import java.util.Map;

/**
 * A subscriber's figures.
 *
 * @param backPressure times that its ring was full
 * @param faults what became of its faults, by their ids
 * @param complete the trailer was seen, and everything before it
 */
public record ServiceReport(
        String name,
        Role role,
        long received,
        long journaled,
        long missing,
        long duplicated,
        long reordered,
        long backPressure,
        long snapshotsSent,
        long snapshotsReceived,
        long blockedSends,
        long digest,
        long booksDigest,
        boolean trailerSeen,
        boolean complete,
        int grantedReceiveBufferBytes,
        TransportReport transport,
        Map<String, FaultReport> faults) {
    public ServiceReport {
        faults = Map.copyOf(faults);
    }
}
