package org.naklab.lab.containers.faults.network;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.containers.relay.RelayReport;

/**
 * The counters of a relay and of the kernel around it.
 *
 * @param relay its own counts
 * @param diverted datagrams that the kernel led to it
 * @param returned frames that the kernel took from it
 * @param overrun frames that neither the relay nor its queue had room for
 * @param badChecksums datagrams that the container's kernel refused since, for a checksum that does not fit
 */
record RelayEvidence(RelayReport relay, long diverted, long returned, long overrun, long badChecksums) {
    static RelayEvidence none() {
        return new RelayEvidence(RelayReport.none(), 0, 0, 0, 0);
    }

    /** Returns what the relay itself added to the latency, as the end of a sentence; empty before the first datagram. */
    String added() {
        return relay.passed().given() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; the relay itself held a datagram %d us longer in the mean, %d us at most",
                        relay.delays().meanAddedNs() / 1_000,
                        relay.delays().maxAddedNs() / 1_000);
    }

    /** Returns the counters since the relay began. */
    RelayEvidence since(long badChecksumsAtArming) {
        return new RelayEvidence(relay, diverted, returned, overrun, badChecksums - badChecksumsAtArming);
    }

    Map<String, Long> figures() {
        Map<String, Long> figures = new TreeMap<>();
        figures.put("datagramsDiverted", diverted);
        figures.put("datagramsReturned", returned);
        figures.put("datagramsDropped", relay.losses().lost());
        figures.put("datagramsDuplicated", relay.changed().duplicated());
        figures.put("datagramsCorrupted", relay.changed().corrupted());
        figures.put("datagramsHeldBack", relay.changed().heldBack());
        figures.put("datagramsOvertaken", relay.changed().overtaken());
        figures.put("framesOverrun", overrun);
        figures.put("minDelayUs", relay.delays().minDelayNs() / 1_000);
        figures.put("maxDelayUs", relay.delays().maxDelayNs() / 1_000);
        figures.put("meanAddedUs", relay.delays().meanAddedNs() / 1_000);
        figures.put("maxAddedUs", relay.delays().maxAddedNs() / 1_000);
        figures.put("badChecksums", badChecksums);
        return figures;
    }
}
