package org.naklab.lab.bench.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Runs the arms in turns until each has its answer.
 *
 * @param mostRounds after which an arm without an answer has not enough runs
 * @param margin relative effects smaller than this do not matter
 * @param isHigherBetter whether a higher value is the better one
 */
public record Tuning(int mostRounds, double margin, boolean isHigherBetter) {
    /** The probability of an error, shared among the arms. */
    static final double ALPHA = 0.05;

    private record Runs(Arm arm, List<Sample> samples) {}

    /**
     * Runs one round after the other: in each, the control and every arm that has no answer yet. Each round begins with the next arm, so that no arm has a place of its own.
     *
     * @param firstSeed of the first round
     * @param onRound takes the results after each round
     * @return the results, the control first
     */
    public List<ArmResult> run(
            List<Arm> arms, long firstSeed, Measurement measurement, Consumer<List<ArmResult>> onRound)
            throws InterruptedException {
        Runs control = new Runs(Arm.CONTROL, new ArrayList<>());
        List<Runs> all = new ArrayList<>(List.of(control));
        arms.forEach(arm -> all.add(new Runs(arm, new ArrayList<>())));
        double alpha = ALPHA / Math.max(1, arms.size());
        List<Runs> open = all;
        List<ArmResult> results = List.of();
        for (int round = 0; round < mostRounds && open.size() > 1; round++) {
            for (int turn = 0; turn < open.size(); turn++) {
                Runs next = open.get((round + turn) % open.size());
                next.samples().add(measurement.measure(next.arm(), firstSeed + round));
            }
            results = all.stream()
                    .map(runs -> ArmResult.compare(
                            runs.arm(), runs.samples(), control.samples(), alpha, margin, isHigherBetter))
                    .toList();
            onRound.accept(results);
            open = open(all, results);
        }
        return results;
    }

    /** Returns the control and the arms without an answer. An arm that has one is not run any more: its runs are those of the first rounds, as the control's are. */
    private static List<Runs> open(List<Runs> all, List<ArmResult> results) {
        return IntStream.range(0, all.size())
                .filter(i -> i == 0 || results.get(i).answer() == Answer.NOT_ENOUGH_RUNS)
                .mapToObj(all::get)
                .toList();
    }
}
