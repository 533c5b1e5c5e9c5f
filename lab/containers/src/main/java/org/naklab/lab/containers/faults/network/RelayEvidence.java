package org.naklab.lab.containers.faults.network;

import java.util.Map;
import org.naklab.lab.containers.relay.RelayReport;

/**
 * The counters of a relay and of the kernel around it.
 *
 * @param relay its own counts
 * @param diverted datagrams that the kernel led to it
 * @param returned frames that the kernel took from it
 * @param badChecksums datagrams that the container's kernel refused since, for a checksum that does not fit
 */
record RelayEvidence(RelayReport relay, long diverted, long returned, long badChecksums) {
    static RelayEvidence none() {
        return new RelayEvidence(new RelayReport(0, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0);
    }

    /** Returns the counters since the relay began. */
    RelayEvidence since(long badChecksumsAtArming) {
        return new RelayEvidence(relay, diverted, returned, badChecksums - badChecksumsAtArming);
    }

    Map<String, Long> figures() {
        return Map.of(
                "datagramsDiverted",
                diverted,
                "datagramsReturned",
                returned,
                "datagramsDuplicated",
                relay.duplicated(),
                "datagramsCorrupted",
                relay.corrupted(),
                "datagramsHeldBack",
                relay.heldBack(),
                "datagramsOvertaken",
                relay.overtaken(),
                "minDelayUs",
                relay.minDelayNs() / 1_000,
                "maxDelayUs",
                relay.maxDelayNs() / 1_000,
                "badChecksums",
                badChecksums);
    }
}
