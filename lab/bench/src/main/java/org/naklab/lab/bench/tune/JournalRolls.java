package org.naklab.lab.bench.tune;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.naklab.lab.bench.JournalRollBench;
import org.naklab.lab.bench.tune.workload.Figure;
import org.naklab.lab.bench.tune.workload.WorkloadResult;
import org.naklab.lab.core.Median;

/** The longest append to a journal, with or without files that roll. */
final class JournalRolls {
    /** The system property with the number of files that are begun after the first. */
    static final String ROLLS = "naklab.tune.rolls";

    private static final double NS_PER_US = 1e3;

    private JournalRolls() {}

    static WorkloadResult run(long seed, int events, int rounds) throws Exception {
        List<JournalRollBench.Round> measured =
                JournalRollBench.run(seed, events, rounds, Integer.getInteger(ROLLS, 0));
        return new WorkloadResult(
                measured.stream().map(round -> round.longestNs() / NS_PER_US).toList(),
                List.of(
                        new Figure("longest at a roll, µs", median(measured, JournalRollBench.Round::longestAtRollNs)),
                        new Figure("longest between, µs", median(measured, JournalRollBench.Round::longestBetweenNs)),
                        new Figure("usual, ns", NS_PER_US * median(measured, JournalRollBench.Round::usualNs))),
                List.of(measured.get(0).rolls() + " files were begun after the first in each round"));
    }

    private static double median(
            List<JournalRollBench.Round> rounds, ToDoubleFunction<JournalRollBench.Round> valueNs) {
        return Median.of(rounds.stream().mapToDouble(valueNs)) / NS_PER_US;
    }
}
