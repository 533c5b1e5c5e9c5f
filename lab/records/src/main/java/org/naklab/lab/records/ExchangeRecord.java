package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exchange's final report.
 *
 * @param faults what became of its faults, by their ids
 */
public record ExchangeRecord(
        @JsonUnwrapped Sent sent,
        @JsonUnwrapped End end,
        @JsonUnwrapped Intake intake,
        Map<String, FaultRecord> faults) {
    /**
     * Counts what it sent.
     *
     * @param published sequenced messages
     * @param digest of them all
     */
    public record Sent(long published, long digest, long blockedSends) {}

    /**
     * Tells how it ended.
     *
     * @param done whether the trailer is out, or the feed cannot go on
     * @param failure why the flow ended before its time; {@code null} when it did not
     */
    public record End(boolean done, @Nullable String failure) {}

    /**
     * Contains what came through its transport.
     *
     * @param foreign what came and was not of its feed; {@code null}: not counted
     * @param feedId in hexadecimal; {@code null}: not known
     */
    public record Intake(
            TransportRecord transport,
            @Nullable ForeignTrafficRecord foreign,
            @Nullable String feedId) {
        public Intake {
            transport = transport == null ? TransportRecord.NONE : transport;
        }
    }

    public ExchangeRecord {
        faults = Absent.orNone(faults);
    }

    /** Returns this record in the form of {@code run.json}. */
    public ExchangeRecord kept() {
        return new ExchangeRecord(sent, end, intake, FaultRecord.kept(faults));
    }
}
