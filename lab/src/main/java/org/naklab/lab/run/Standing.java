package org.naklab.lab.run;

import java.util.List;
import org.naklab.lab.process.ServiceReport;
import org.naklab.lab.scenario.Deployment;
import org.naklab.lab.scenario.Remedy;
import org.naklab.lab.scenario.Stall;
import org.naklab.lab.scenario.Verdict;

/**
 * What one remedy came to over all its runs; figures are the market data service's.
 *
 * @param unknown runs without a verdict, which count for nothing else here
 * @param stalls after the warm-up
 * @param withNak in how many runs a NAK was sent
 */
public record Standing(
        Remedy remedy,
        int runs,
        int passed,
        int failed,
        int unknown,
        long stalls,
        double longestStallMs,
        long datagramsDropped,
        long naks,
        long blockedSends,
        Proportion withNak,
        Effect effect) {
    /** One line for each remedy, in the order in which they were first run. */
    static List<Standing> of(List<RunResult> results) {
        return results.stream()
                .map(result -> result.outcome().plan().remedy())
                .distinct()
                .map(remedy -> of(
                        remedy,
                        results.stream()
                                .filter(result -> result.outcome().plan().remedy() == remedy)
                                .toList()))
                .toList();
    }

    private static Standing of(Remedy remedy, List<RunResult> runs) {
        List<RunResult> known =
                runs.stream().filter(run -> run.verdict() != Verdict.UNKNOWN).toList();
        List<Stall> stalls = known.stream()
                .flatMap(run -> run.outcome().stalls().stream())
                .filter(stall -> stall.process().equals(Deployment.SERVICE))
                .toList();
        long naks = known.stream().mapToLong(Standing::naks).sum();
        Proportion withNak =
                Proportion.of((int) known.stream().filter(run -> naks(run) > 0).count(), known.size());
        return new Standing(
                remedy,
                runs.size(),
                count(runs, Verdict.PASS),
                count(runs, Verdict.FAIL),
                runs.size() - known.size(),
                stalls.size(),
                stalls.stream().mapToDouble(Stall::durationMs).max().orElse(0),
                known.stream()
                        .mapToLong(run -> run.outcome().datagramsDropped(Deployment.SERVICE))
                        .sum(),
                naks,
                known.stream().mapToLong(run -> run.outcome().blockedSends()).sum(),
                withNak,
                Effect.of(known.size(), stalls.size(), naks));
    }

    private static int count(List<RunResult> runs, Verdict verdict) {
        return (int) runs.stream().filter(run -> run.verdict() == verdict).count();
    }

    private static long naks(RunResult run) {
        ServiceReport service = run.outcome().subscriber(Deployment.SERVICE);
        return service == null ? 0 : service.transport().naksSent();
    }
}
