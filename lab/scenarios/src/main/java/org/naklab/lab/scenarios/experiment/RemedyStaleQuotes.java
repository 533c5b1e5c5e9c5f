package org.naklab.lab.scenarios.experiment;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.scenarios.record.RunResult;

/**
 * Tells how long and by how much the best bid or offer of the service was stale in the runs of one remedy.
 *
 * @param runs that measured it
 * @param over10Ms periods longer than 10 ms, of all these runs
 * @param totalMs of all periods of 1 ms and more, of all these runs
 * @param longestMs the longest period of all these runs
 * @param maxDifference the largest difference between two best prices of one side, in units of the currency
 */
public record RemedyStaleQuotes(int runs, long over10Ms, double totalMs, double longestMs, double maxDifference) {
    /** Returns the figures of the runs that measured them; empty if none did. */
    static Optional<RemedyStaleQuotes> of(List<RunResult> runs) {
        return ofRecords(runs.stream()
                .flatMap(run -> Stream.ofNullable(run.staleQuotes()))
                .toList());
    }

    static Optional<RemedyStaleQuotes> ofRecords(List<StaleQuotesRecord> records) {
        return records.isEmpty()
                ? Optional.empty()
                : Optional.of(new RemedyStaleQuotes(
                        records.size(),
                        records.stream().mapToLong(StaleQuotesRecord::over10Ms).sum(),
                        records.stream().mapToDouble(StaleQuotesRecord::totalMs).sum(),
                        records.stream()
                                .mapToDouble(StaleQuotesRecord::longestMs)
                                .max()
                                .orElse(0),
                        records.stream()
                                .mapToDouble(StaleQuotesRecord::maxDifference)
                                .max()
                                .orElse(0)));
    }
}
