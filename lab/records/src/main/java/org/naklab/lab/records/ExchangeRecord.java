package org.naklab.lab.records;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exchange's last word.
 *
 * @param published sequenced messages
 * @param digest of them all
 * @param done whether the trailer is out, or the feed cannot go on
 * @param failure why the flow ended before its time; {@code null} when it did not
 * @param foreign what came and was not of its feed; {@code null}: not counted
 * @param feedId in hexadecimal; {@code null}: not known
 * @param faults what became of its faults, by their ids
 */
public record ExchangeRecord(
        long published,
        long digest,
        long blockedSends,
        boolean done,
        @Nullable String failure,
        TransportRecord transport,
        @Nullable ForeignTrafficRecord foreign,
        @Nullable String feedId,
        Map<String, FaultRecord> faults) {
    public ExchangeRecord {
        transport = transport == null ? TransportRecord.NONE : transport;
        faults = Absent.orNone(faults);
    }
}
