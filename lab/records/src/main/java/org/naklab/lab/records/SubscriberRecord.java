package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.latency.LatencyRecord;

/**
 * A subscriber's last word.
 *
 * @param role {@code SERVICE} or {@code GATEWAY}
 * @param missing sequences that are known to have been used and that have not come
 * @param backPressure times that its ring was full
 * @param complete the trailer was seen, and everything before it
 * @param journalForced whether the journal was forced to disk after the last event; {@code null}: not known
 * @param foreign what came and was not of its feed; {@code null}: not counted
 * @param feedId in hexadecimal; {@code null}: not known
 * @param faults what became of its faults, by their ids
 * @param suspectSince sequence of the first missing event, since which its books are suspect; 0: none is; {@code null}: not known
 * @param suspectBookSeconds how long books were suspect before the feed ended, added up over the books; {@code null}: not known
 * @param latency how late the events were; {@code null}: not measured
 */
public record SubscriberRecord(
        String name,
        String role,
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
        TransportRecord transport,
        @Nullable Boolean journalForced,
        @Nullable ForeignTrafficRecord foreign,
        @Nullable String feedId,
        Map<String, FaultRecord> faults,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long suspectSince,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double suspectBookSeconds,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LatencyRecord latency) {
    private static final String SERVICE_ROLE = "SERVICE";

    public SubscriberRecord {
        name = Absent.orEmpty(name);
        role = Absent.orEmpty(role);
        transport = transport == null ? TransportRecord.NONE : transport;
        faults = Absent.orNone(faults);
    }

    /** Tells whether it is the market data service. */
    boolean servesData() {
        return role.equals(SERVICE_ROLE);
    }
}
