package org.naklab.lab.studies.foreign;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.scenarios.Verdict;

/**
 * Disturbs runs from outside and judges what their diagnosis says. Every disturbance that was made counts. An attempt without proof is
 * listed and made again, at most twice: there is nothing to judge in it.
 */
public final class ForeignExperiment {
    private final List<Disturbance> disturbances;
    private final List<Load> loads;
    private final Runs runs;
    private final Listener listener;

    /** One cell of the experiment. */
    public record Case(Disturbance disturbance, Load load, long seed) {}

    /**
     * A disturbed run and where it left its evidence.
     *
     * @param verdict its label
     * @param directory of the run; empty if it failed
     */
    public record Outcome(Proof proof, String verdict, DiagnosisReading diagnosis, Path directory) {}

    /** Executes the runs. */
    public interface Runs {
        /**
         * Checks the run of a disturbance before the first one is executed.
         *
         * @throws org.naklab.lab.core.UsageException if it cannot be run as the user asked
         */
        void check(Disturbance disturbance);

        /** Returns why a disturbance cannot be made on this machine; empty if it can. */
        Optional<String> refusal(Disturbance disturbance) throws InterruptedException;

        /** Puts the load on the machine until it is closed. */
        AutoCloseable load(Load load);

        /**
         * Executes a run and waits for its end; afterwards, the disturbance is undone.
         *
         * @throws LabException the run failed
         */
        Outcome run(Case chosen, Cancellation cancellation) throws InterruptedException;
    }

    /** Receives the progress, on the calling thread. */
    public interface Listener {
        /** A disturbance cannot be made on this machine. */
        void onLeftOut(Disturbance disturbance, String reason);

        /** An attempt has ended, whether the disturbance was made or not. */
        void onAttempt(ForeignAttempt attempt);
    }

    /**
     * Creates an experiment that has not run yet.
     *
     * @param disturbances in the order in which they are made
     */
    public ForeignExperiment(List<Disturbance> disturbances, List<Load> loads, Runs runs, Listener listener) {
        this.disturbances = List.copyOf(disturbances);
        this.loads = List.copyOf(loads);
        this.runs = runs;
        this.listener = listener;
    }

    /**
     * Makes each disturbance under each load.
     *
     * @param seeds number of runs for each of them
     * @throws org.naklab.lab.core.UsageException if a run cannot be made as the user asked; before the first run
     */
    public ForeignMatrix run(int seeds, long firstSeed, Cancellation cancellation) throws Exception {
        disturbances.forEach(runs::check);
        ForeignMatrix matrix = new ForeignMatrix();
        List<Disturbance> possible = new ArrayList<>();
        for (Disturbance disturbance : disturbances) {
            Optional<String> refusal = runs.refusal(disturbance);
            if (refusal.isPresent()) {
                matrix.leaveOut(disturbance, refusal.get());
                listener.onLeftOut(disturbance, refusal.get());
            } else {
                possible.add(disturbance);
            }
        }
        for (Load load : loads) {
            AutoCloseable loaded = runs.load(load);
            try {
                new Experiment<>(
                                Experiment.Order.ARM_BY_ARM,
                                (Disturbance disturbance, long seed) ->
                                        outcome(new Case(disturbance, load, seed), cancellation),
                                new Counting(matrix, load),
                                cancellation::isRequested)
                        .run(possible, firstSeed, seeds);
            } finally {
                loaded.close();
            }
        }
        return matrix;
    }

    /** Lists every attempt; one without proof is made again. */
    private final class Counting implements Experiment.Rules<Disturbance, Outcome> {
        private final ForeignMatrix matrix;
        private final Load load;

        Counting(ForeignMatrix matrix, Load load) {
            this.matrix = matrix;
            this.load = load;
        }

        @Override
        public boolean isInDoubt(Disturbance disturbance, Outcome outcome) {
            return !outcome.proof().isMade();
        }

        @Override
        public void onTrial(Trial<Disturbance, Outcome> trial) {
            ForeignAttempt attempt =
                    ForeignAttempt.of(new Case(trial.arm(), load, trial.seed()), trial.attempt(), trial.result());
            matrix.add(attempt);
            listener.onAttempt(attempt);
        }
    }

    /** A run that fails costs its own attempt, and not those of the hours before. */
    private Outcome outcome(Case chosen, Cancellation cancellation) throws InterruptedException {
        try {
            return runs.run(chosen, cancellation);
        } catch (LabException e) {
            return new Outcome(
                    Proof.notMade("the run failed: " + e.getMessage()),
                    Verdict.UNKNOWN.label(),
                    DiagnosisReading.NONE,
                    Path.of(""));
        }
    }
}
