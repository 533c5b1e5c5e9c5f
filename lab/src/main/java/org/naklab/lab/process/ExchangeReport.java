package org.naklab.lab.process;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exchange's figures.
 *
 * @param published sequenced messages
 * @param digest of them all
 * @param done whether the trailer is out, or the feed cannot go on
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
        Map<String, FaultReport> faults) {
    public ExchangeReport {
        faults = Map.copyOf(faults);
    }
}
