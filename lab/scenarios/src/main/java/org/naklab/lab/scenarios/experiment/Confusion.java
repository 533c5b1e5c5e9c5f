package org.naklab.lab.scenarios.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;

/**
 * Injects each cause several times and compares it with the diagnosis. A run that is in doubt, because the whole machine stalled or an
 * instrument was blind, is repeated; every attempt is counted.
 */
public final class Confusion {
    private final List<Case> cases;
    private final Runs runs;
    private final Gate gate;
    private final Listener listener;

    /** A cause, the scenario that injects it, and the fidelity in which it does. */
    public record Case(Scenario scenario, Cause cause, Fidelity fidelity) {
        Optional<String> refusal() {
            return scenario.refusal(fidelity, Remedy.NONE).or(scenario::obstacle);
        }
    }

    /** A run and where it left its evidence. */
    public record Attempt(RunResult result, Path directory) {}

    /** Executes the runs. */
    public interface Runs {
        /**
         * Checks that a case can be run as the user asked.
         *
         * @throws UsageException if it cannot
         */
        void check(Case chosen, long seed);

        /** Executes a run and waits for its end. */
        Attempt run(Case chosen, long seed, Cancellation cancellation) throws InterruptedException;
    }

    /** Waits until the machine is fit for a run. */
    public interface Gate {
        /**
         * Returns when the machine is fit, or after a maximum time.
         *
         * @param teller is told what is waited for
         */
        void await(Cancellation cancellation, Consumer<String> teller) throws InterruptedException;
    }

    /** Receives the progress, on the calling thread. */
    public interface Listener {
        /** A cause cannot be injected on this machine. */
        void onSkipped(Cause cause, String reason);

        /** A run has ended; it counts, or it was in doubt and is made again. */
        void onTrial(Trial<Case, Attempt> trial);

        /** The next run waits for something. */
        void onWaiting(String what);
    }

    /**
     * Creates an experiment that has not run yet.
     *
     * @param cases in the order in which they are run
     */
    public Confusion(List<Case> cases, Runs runs, Gate gate, Listener listener) {
        this.cases = List.copyOf(cases);
        this.runs = runs;
        this.gate = gate;
        this.listener = listener;
    }

    /**
     * Returns the cases of the scenarios.
     *
     * @param only labels of the wanted causes; empty: all
     * @throws UsageException if no scenario injects one of them
     */
    public static List<Case> cases(List<Scenario> scenarios, List<String> only) {
        List<Case> all = scenarios.stream()
                .flatMap(scenario -> scenario.causes().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(cause -> new Case(scenario, cause.getKey(), cause.getValue())))
                .toList();
        List<String> known =
                all.stream().map(each -> each.cause().label()).sorted().toList();
        only.stream().filter(cause -> !known.contains(cause)).findFirst().ifPresent(cause -> {
            throw new UsageException("no scenario injects the cause '" + cause + "'" + Spelling.hint(cause, known));
        });
        return all.stream()
                .filter(each -> only.isEmpty() || only.contains(each.cause().label()))
                .toList();
    }

    /**
     * Runs all cases.
     *
     * @param seeds number of runs for each case
     * @throws UsageException if a case cannot be run as the user asked; before the first run
     */
    public ConfusionMatrix run(int seeds, long firstSeed, Cancellation cancellation) throws InterruptedException {
        List<Case> possible =
                cases.stream().filter(each -> each.refusal().isEmpty()).toList();
        possible.forEach(each -> runs.check(each, firstSeed));
        ConfusionMatrix matrix = new ConfusionMatrix();
        cases.forEach(each -> each.refusal().ifPresent(reason -> {
            matrix.leaveOut(each.cause(), reason);
            listener.onSkipped(each.cause(), reason);
        }));
        new Experiment<>(
                        Experiment.Order.ARM_BY_ARM,
                        (Case chosen, long seed) -> runs.run(chosen, seed, cancellation),
                        new Counting(matrix, cancellation),
                        cancellation::isRequested)
                .run(possible, firstSeed, seeds);
        return matrix;
    }

    /** Counts every attempt, and judges those that are not in doubt. */
    private final class Counting implements Experiment.Rules<Case, Attempt> {
        private final ConfusionMatrix matrix;
        private final Cancellation cancellation;

        Counting(ConfusionMatrix matrix, Cancellation cancellation) {
            this.matrix = matrix;
            this.cancellation = cancellation;
        }

        @Override
        public boolean isInDoubt(Case chosen, Attempt attempt) {
            return attempt.result().verdict() == Verdict.UNKNOWN
                    || chosen.scenario().isSpoiled(attempt.result().outcome());
        }

        @Override
        public void awaitMachine() throws InterruptedException {
            gate.await(cancellation, listener::onWaiting);
        }

        @Override
        public void onTrial(Trial<Case, Attempt> trial) {
            Cause cause = trial.arm().cause();
            matrix.addAttempt(cause);
            listener.onTrial(trial);
            if (trial.isCounted()) {
                matrix.add(cause, trial.result().result());
            }
        }
    }
}
