package org.naklab.lab.replica.exchange;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.FaultReport;
import org.naklab.lab.replica.transport.ForeignTraffic;
import org.naklab.lab.replica.transport.TransportReport;

/**
 * The exchange's figures.
 *
 * @param published sequenced messages
 * @param digest of them all
 * @param done whether the trailer is out, or the feed cannot go on
 * @param foreign what came to its control addresses and was none of Aeron's
 * @param feedId of this feed, in hexadecimal
 * @param faults what became of its faults, by their ids
 * @param failure why the flow ended before its time; {@code null} when it did not
 */
public record ExchangeReport(
        long published,
        long digest,
        long blockedSends,
        boolean done,
        @Nullable String failure,
        TransportReport transport,
        ForeignTraffic foreign,
        String feedId,
        Map<String, FaultReport> faults) {
    public ExchangeReport {
        faults = Map.copyOf(faults);
    }
}
