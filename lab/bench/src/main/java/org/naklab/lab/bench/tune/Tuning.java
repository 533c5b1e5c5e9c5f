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
    /** Enough for the answer "no difference" within 3 % where the runs of one arm scatter by 2 %. */
    public static final int DEFAULT_ROUNDS = 40;

    /** The probability of an error, shared among the arms. */
    static final double ALPHA = 0.05;

    /**
     * Runs one round after the other: in each, the control and every arm that has no answer yet. Each round begins with the next arm, so that no arm has a place of its own.
     * A run that fails is counted and left out of the comparison; several failures in a row end the arm, and those of the control end all.
     *
     * @param firstSeed of the first round
     * @param onRound takes the results after each round
     * @return the results, the control first
     */
    public List<ArmResult> run(
            List<Arm> arms, long firstSeed, Measurement measurement, Consumer<List<ArmResult>> onRound)
            throws InterruptedException {
        ArmRuns control = new ArmRuns(Arm.CONTROL);
        List<ArmRuns> all = new ArrayList<>(List.of(control));
        arms.forEach(arm -> all.add(new ArmRuns(arm)));
        double alpha = ALPHA / Math.max(1, arms.size());
        List<ArmRuns> open = all;
        List<ArmResult> results = List.of();
        for (int round = 0; round < mostRounds && open.size() > 1; round++) {
            for (int turn = 0; turn < open.size(); turn++) {
                open.get((round + turn) % open.size()).run(round, firstSeed + round, measurement);
            }
            results = all.stream()
                    .map(runs -> ArmResult.compare(runs, control, alpha, margin, isHigherBetter))
                    .toList();
            onRound.accept(results);
            open = open(all, results);
        }
        return results;
    }

    /** Returns the control and the arms without an answer. An arm that has one is not run any more: its runs are those of the first rounds, as the control's are. */
    private static List<ArmRuns> open(List<ArmRuns> all, List<ArmResult> results) {
        return IntStream.range(0, all.size())
                .filter(i -> i == 0 || results.get(i).answer() == Answer.NOT_ENOUGH_RUNS)
                .mapToObj(all::get)
                .toList();
    }
}
