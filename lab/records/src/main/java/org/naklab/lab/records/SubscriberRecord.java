package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.latency.LatencyRecord;

/**
 * Tells what a subscriber reports at its end, and {@code run.json} keeps.
 *
 * @param role {@code SERVICE} or {@code GATEWAY}
 */
public record SubscriberRecord(
        String name,
        String role,
        @JsonUnwrapped Events events,
        @JsonUnwrapped Flow flow,
        @JsonUnwrapped End end,
        @JsonUnwrapped Intake intake,
        @JsonUnwrapped Effects effects) {
    private static final String SERVICE_ROLE = "SERVICE";

    /**
     * The events of the feed as the subscriber received them.
     *
     * @param missing sequences that are known to have been used and that have not come
     */
    public record Events(long received, long journaled, long missing, long duplicated, long reordered) {}

    /**
     * Tells what it passed on, and what waited for it.
     *
     * @param backPressure times that its ring was full
     */
    public record Flow(long backPressure, long snapshotsSent, long snapshotsReceived, long blockedSends) {}

    /**
     * The state in which it ended.
     *
     * @param complete the trailer was seen, and everything before it
     */
    public record End(long digest, long booksDigest, boolean trailerSeen, boolean complete) {}

    /**
     * Tells what came through its transport, and whether it is on disk.
     *
     * @param journalForced the journal's files and directory were forced to disk after the last event; true for a gateway; {@code null}: not known
     * @param foreign what came and was not of its feed; {@code null}: not counted
     * @param feedId of the feed that it received, in hexadecimal; empty while it is unknown; {@code null}: not kept
     */
    public record Intake(
            int grantedReceiveBufferBytes,
            TransportRecord transport,
            @Nullable Boolean journalForced,
            @Nullable ForeignTrafficRecord foreign,
            @Nullable String feedId) {
        /** Replaces what is absent. */
        public Intake {
            transport = transport == null ? TransportRecord.NONE : transport;
        }
    }

    /**
     * Tells what its faults did, and what its readers had to bear.
     *
     * @param faults what became of its faults, by their ids
     * @param suspectSince sequence of the first missing event, since which its books are suspect, or were until a snapshot confirmed them; 0: none is missing; {@code null}: not known
     * @param suspectBookSeconds how long books were suspect before the feed ended, added up over the books; {@code null}: not known
     * @param latency how late the events were; {@code null}: not measured, or it still receives
     */
    public record Effects(
            Map<String, FaultRecord> faults,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long suspectSince,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double suspectBookSeconds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            LatencyRecord latency) {
        /** Replaces what is absent. */
        public Effects {
            faults = Absent.orNone(faults);
        }
    }

    /** Replaces what is absent. */
    public SubscriberRecord {
        name = Absent.orEmpty(name);
        role = Absent.orEmpty(role);
    }

    /** Returns whether it is the market data service. */
    public boolean servesData() {
        return role.equals(SERVICE_ROLE);
    }

    /** Returns this record with other figures of the transport. */
    public SubscriberRecord withTransport(TransportRecord transport) {
        Intake other = new Intake(
                intake.grantedReceiveBufferBytes, transport, intake.journalForced, intake.foreign, intake.feedId);
        return new SubscriberRecord(name, role, events, flow, end, other, effects);
    }

    /** Returns this record with another count of a full ring. */
    public SubscriberRecord withBackPressure(long backPressure) {
        Flow other = new Flow(backPressure, flow.snapshotsSent, flow.snapshotsReceived, flow.blockedSends);
        return new SubscriberRecord(name, role, events, other, end, intake, effects);
    }

    /** Returns this record in the form of {@code run.json}. */
    public SubscriberRecord kept() {
        Effects other = new Effects(
                FaultRecord.kept(effects.faults), effects.suspectSince, effects.suspectBookSeconds, effects.latency);
        return new SubscriberRecord(name, role, events, flow, end, intake, other);
    }

    /** Returns this record for a known number of published events: an event that was not received is missing, whether or not the trailer was received. */
    public SubscriberRecord ofPublished(long published) {
        long missing = Math.max(events.missing, published - events.received);
        return new SubscriberRecord(
                name,
                role,
                new Events(events.received, events.journaled, missing, events.duplicated, events.reordered),
                flow,
                new End(end.digest, end.booksDigest, end.trailerSeen, end.complete && missing == 0),
                intake,
                effects);
    }
}
