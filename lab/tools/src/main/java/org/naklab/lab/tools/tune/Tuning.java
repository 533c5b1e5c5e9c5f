package org.naklab.lab.tools.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.tools.tune.workload.Metric;

/**
 * Runs the arms in turns until each has its answer; if the runs of an arm only hit or do not, until all rounds have run.
 *
 * @param mostRounds after which an arm without an answer has not enough runs
 * @param margin effects smaller than this do not matter: relative ones, or differences of shares
 * @param metric what the values are, and so how they are compared
 */
public record Tuning(int mostRounds, double margin, Metric metric) {
    /** Enough for the answer "no difference" within 3 % where the runs of one arm scatter by 2 %. */
    public static final int DEFAULT_ROUNDS = 40;

    /** The probability of an error, shared among the arms. */
    static final double ALPHA = 0.05;

    /**
     * Runs one round after the other: in each, the control and every arm that has no answer yet. Each round begins with the next arm, so that no arm has a place of its own.
     * A run that fails is counted and left out of the comparison; several failures in a row end the arm, and those of the control end all.
     *
     * @param control the arm with which the others are compared
     * @param firstSeed of the first round
     * @param onRound takes the results after each round
     * @return the results, the control first
     */
    public List<ArmResult> run(
            Arm control, List<Arm> arms, long firstSeed, Measurement measurement, Consumer<List<ArmResult>> onRound)
            throws InterruptedException {
        Comparing comparing = new Comparing(control, arms, firstSeed, onRound);
        new Experiment<>(
                        Experiment.Order.IN_TURNS,
                        (ArmRuns runs, long seed) -> runs.measure(seed, measurement, metric),
                        comparing,
                        () -> false)
                .run(comparing.all, firstSeed, mostRounds);
        return comparing.results;
    }

    /** Compares all arms with the control after each round. An arm that has its answer is not run any more: its runs are those of the first rounds, as the control's are. */
    private final class Comparing implements Experiment.Rules<ArmRuns, ArmRuns.Run> {
        private final ArmRuns control;
        private final List<ArmRuns> all = new ArrayList<>();
        private final double alpha;
        private final long firstSeed;
        private final Consumer<List<ArmResult>> onRound;
        private List<ArmResult> results = List.of();

        Comparing(Arm reference, List<Arm> arms, long firstSeed, Consumer<List<ArmResult>> onRound) {
            control = new ArmRuns(reference);
            all.add(control);
            arms.forEach(arm -> all.add(new ArmRuns(arm)));
            alpha = ALPHA / Math.max(1, arms.size());
            this.firstSeed = firstSeed;
            this.onRound = onRound;
        }

        /** The control runs as long as any other arm does. */
        @Override
        public boolean isOpen(ArmRuns runs) {
            return runs == control ? all.stream().skip(1).anyMatch(this::isWithoutAnswer) : isWithoutAnswer(runs);
        }

        private boolean isWithoutAnswer(ArmRuns runs) {
            if (results.isEmpty()) {
                return true;
            }
            Answer answer = results.get(all.indexOf(runs)).answer();
            return metric.isShare()
                    ? answer != Answer.NOT_IN_EFFECT && answer != Answer.FAILED
                    : answer == Answer.NOT_ENOUGH_RUNS;
        }

        @Override
        public void onTrial(Trial<ArmRuns, ArmRuns.Run> trial) {
            trial.arm().add((int) (trial.seed() - firstSeed), trial.result());
        }

        @Override
        public void onRound() {
            results = all.stream()
                    .map(runs -> ArmResult.compare(runs, control, alpha, Tuning.this))
                    .toList();
            onRound.accept(results);
        }
    }
}
