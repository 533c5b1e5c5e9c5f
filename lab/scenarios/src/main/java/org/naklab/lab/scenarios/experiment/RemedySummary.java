package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;

/**
 * The aggregated result of all runs of one remedy; the figures are those of the market data service.
 *
 * @param withNak in how many runs a NAK was sent
 */
public record RemedySummary(
        Remedy remedy,
        @JsonUnwrapped Verdicts verdicts,
        @JsonUnwrapped Harm harm,
        WilsonInterval withNak,
        Answer effect,
        @JsonUnwrapped Measured measured) {
    /**
     * Counts the runs by their verdicts.
     *
     * @param unknown runs without a verdict, which count for nothing else here
     */
    public record Verdicts(int runs, int passed, int failed, int unknown) {}

    /**
     * Contains what the stalls cost, in all runs.
     *
     * @param stalls after the warm-up
     */
    public record Harm(long stalls, double longestStallMs, long datagramsDropped, long naks, long blockedSends) {}

    /**
     * Contains what the remedy costs, and how late events were.
     *
     * @param price what the service needed; {@code null}: no run was finished
     * @param latency {@code null}: no run measured it
     * @param staleQuotes {@code null}: no run measured them
     */
    public record Measured(
            @Nullable RemedyPrice price,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            RemedyLatency latency,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            RemedyStaleQuotes staleQuotes) {}

    /** One line for each remedy, in the order in which they were first run. */
    static List<RemedySummary> of(List<RunResult> results) {
        return results.stream()
                .map(result -> result.outcome().plan().remedy())
                .distinct()
                .map(remedy -> of(
                        remedy,
                        results.stream()
                                .filter(result ->
                                        result.outcome().plan().remedy().equals(remedy))
                                .toList()))
                .toList();
    }

    private static RemedySummary of(Remedy remedy, List<RunResult> runs) {
        List<RunResult> known =
                runs.stream().filter(run -> run.verdict() != Verdict.UNKNOWN).toList();
        List<Stall> stalls = known.stream()
                .flatMap(run -> run.outcome().stalls().stream())
                .filter(stall -> stall.process().equals(Deployment.SERVICE))
                .toList();
        long naks = known.stream().mapToLong(RemedySummary::naks).sum();
        WilsonInterval withNak = WilsonInterval.of(
                (int) known.stream().filter(run -> naks(run) > 0).count(), known.size());
        return new RemedySummary(
                remedy,
                new RemedySummary.Verdicts(
                        runs.size(), count(runs, Verdict.PASS), count(runs, Verdict.FAIL), runs.size() - known.size()),
                new RemedySummary.Harm(
                        stalls.size(),
                        stalls.stream().mapToDouble(Stall::durationMs).max().orElse(0),
                        known.stream()
                                .mapToLong(run -> run.outcome().datagramsDropped(Deployment.SERVICE))
                                .sum(),
                        naks,
                        known.stream()
                                .mapToLong(run -> run.outcome().blockedSends())
                                .sum()),
                withNak,
                effect(known.size(), stalls.size(), naks),
                new RemedySummary.Measured(
                        RemedyPrice.of(known.stream().map(RunResult::outcome).toList())
                                .orElse(null),
                        RemedyLatency.of(known).orElse(null),
                        RemedyStaleQuotes.of(known).orElse(null)));
    }

    static Answer effect(int runs, long stalls, long naks) {
        if (runs == 0) {
            return Answer.NOT_KNOWN;
        }
        if (naks > 0) {
            return Answer.DOES_NOT_HELP;
        }
        return stalls == 0 ? Answer.REMOVES_THE_CAUSE : Answer.HIDES_THE_SYMPTOM;
    }

    private static int count(List<RunResult> runs, Verdict verdict) {
        return (int) runs.stream().filter(run -> run.verdict() == verdict).count();
    }

    private static long naks(RunResult run) {
        ServiceReport service = run.outcome().subscriber(Deployment.SERVICE);
        return service == null ? 0 : service.intake().transport().naksSent();
    }
}
