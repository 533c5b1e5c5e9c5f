package org.naklab.lab.replica.service;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.process.FaultReport;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.customers.ServingReport;
import org.naklab.lab.replica.latency.LatencyReport;
import org.naklab.lab.replica.transport.ForeignTraffic;
import org.naklab.lab.replica.transport.TransportReport;

/**
 * A subscriber's figures.
 *
 * @param missing sequences that are known to have been used and that have not come
 * @param backPressure times that its ring was full
 * @param foreign what came and was not of its feed
 * @param feedId of the feed that it received, in hexadecimal; empty while it is unknown
 * @param faults what became of its faults, by their ids
 * @param journalForced the journal's files and directory were forced to disk after the last event; true for a gateway
 * @param suspectSince sequence of the first missing event, since which its books are suspect; 0: none is
 * @param suspectBookSeconds how long books were suspect before the feed ended, added up over the books
 * @param latency how late the events were; {@code null} while it receives
 * @param serving what became of its customers; {@code null}: it has none
 * @param recent what is told only while it receives; {@code null} afterwards
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
        boolean journalForced,
        ForeignTraffic foreign,
        String feedId,
        Map<String, FaultReport> faults,
        long suspectSince,
        double suspectBookSeconds,
        @Nullable LatencyReport latency,
        @Nullable ServingReport serving,
        @Nullable Recent recent) {
    /**
     * How far the way into the order books is.
     *
     * @param applied events that are in the order books
     * @param latency of the events that came into the books since the report before
     */
    public record Recent(long applied, ProcessPace.Latency latency) {}

    public ServiceReport {
        faults = Map.copyOf(faults);
    }

    /** Returns this report with other figures of the transport. */
    public ServiceReport withTransport(TransportReport other) {
        return with(missing, backPressure, other);
    }

    /** Returns this report with another count of a full ring. */
    public ServiceReport withBackPressure(long other) {
        return with(missing, other, transport);
    }

    /** Returns this report for a known number of published events: an event that was not received is missing, whether or not the trailer was received. */
    public ServiceReport ofPublished(long published) {
        return with(Math.max(missing, published - received), backPressure, transport);
    }

    private ServiceReport with(long newMissing, long newBackPressure, TransportReport newTransport) {
        return new ServiceReport(
                name,
                role,
                received,
                journaled,
                newMissing,
                duplicated,
                reordered,
                newBackPressure,
                snapshotsSent,
                snapshotsReceived,
                blockedSends,
                digest,
                booksDigest,
                trailerSeen,
                complete && newMissing == 0,
                grantedReceiveBufferBytes,
                newTransport,
                journalForced,
                foreign,
                feedId,
                faults,
                suspectSince,
                suspectBookSeconds,
                latency,
                serving,
                recent);
    }
}
