package org.naklab.lab.records.latency;

import java.util.Locale;
import org.naklab.lab.core.Format;

/**
 * Tells how long and by how much the best bid or offer of the service differed from that of the exchange, from the end of the warm-up on. The
 * quotes of the exchange change when an event is due, those of the service when it is received.
 *
 * @param changes of best prices at the exchange
 * @param periods of 1 ms and more in which a quote of an instrument was stale; shorter ones do not count
 * @param over10Ms of these, those of more than 10 ms
 * @param totalMs of all periods and instruments
 * @param longestMs the longest period
 * @param longestInstrument whose quote was stale for that long; 0 without any period
 * @param maxDifference the largest difference between two best prices of one side, in units of the currency
 */
public record StaleQuotesRecord(
        long changes,
        long periods,
        long over10Ms,
        double totalMs,
        double longestMs,
        int longestInstrument,
        double maxDifference) {
    /** Returns what a person should know of it. */
    public String sentence() {
        return periods == 0
                ? "the best bid and offer of the service were never stale for 1 ms"
                : "the best bid or offer of the service was stale for " + Format.milliseconds(longestMs)
                        + " at most and by "
                        + String.format(Locale.ROOT, "%.4f", maxDifference).replaceFirst("(\\.\\d\\d\\d*?)0+$", "$1")
                        + " at most; " + Format.count(over10Ms) + " of " + Format.count(periods)
                        + " periods were longer than 10 ms";
    }
}
