package org.naklab.lab.scenarios.experiment;

import java.util.List;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;

/**
 * Injects each pair of causes several times and compares it with the diagnosis. A run that is in doubt, because the whole machine stalled
 * or a fault did not fire, is repeated.
 */
public final class PairExperiment {
    private final List<CausePair> pairs;
    private final Runs runs;
    private final Confusion.Gate gate;
    private final Listener listener;

    /** Executes the runs. */
    @FunctionalInterface
    public interface Runs {
        /** Executes a run and waits for its end. */
        Confusion.Attempt run(CausePair pair, long seed, Cancellation cancellation) throws InterruptedException;
    }

    /** Receives the progress, on the calling thread. */
    public interface Listener {
        /** A pair cannot be injected on this machine. */
        void onSkipped(CausePair pair, String reason);

        /**
         * A run has ended.
         *
         * @param isCounted false: it was in doubt and is repeated
         */
        void onRun(PairFinding finding, long seed, Confusion.Attempt attempt, boolean isCounted);

        /** The next run waits for something. */
        void onWaiting(String what);
    }

    /** Creates an experiment that has not run yet. */
    public PairExperiment(List<CausePair> pairs, Runs runs, Confusion.Gate gate, Listener listener) {
        this.pairs = List.copyOf(pairs);
        this.runs = runs;
        this.gate = gate;
        this.listener = listener;
    }

    /**
     * Runs all pairs.
     *
     * @param seeds number of runs for each pair
     */
    public PairMatrix run(int seeds, long firstSeed, Cancellation cancellation) throws InterruptedException {
        PairMatrix matrix = new PairMatrix();
        pairs.forEach(pair -> pair.refusal().ifPresent(reason -> {
            matrix.leaveOut(pair, reason);
            listener.onSkipped(pair, reason);
        }));
        new Experiment<>(
                        Experiment.Order.ARM_BY_ARM,
                        (CausePair pair, long seed) -> runs.run(pair, seed, cancellation),
                        new Counting(matrix, cancellation),
                        cancellation::isRequested)
                .run(pairs.stream().filter(pair -> pair.refusal().isEmpty()).toList(), firstSeed, seeds);
        return matrix;
    }

    /** Counts every attempt, and judges those that are not in doubt. */
    private final class Counting implements Experiment.Rules<CausePair, Confusion.Attempt> {
        private final PairMatrix matrix;
        private final Cancellation cancellation;

        Counting(PairMatrix matrix, Cancellation cancellation) {
            this.matrix = matrix;
            this.cancellation = cancellation;
        }

        @Override
        public boolean isInDoubt(CausePair pair, Confusion.Attempt attempt) {
            return PairFinding.of(pair, attempt.result()).isInDoubt();
        }

        @Override
        public void awaitMachine() throws InterruptedException {
            gate.await(cancellation, listener::onWaiting);
        }

        @Override
        public void onTrial(Trial<CausePair, Confusion.Attempt> trial) {
            matrix.addAttempt(trial.arm());
            PairFinding finding = PairFinding.of(trial.arm(), trial.result().result());
            listener.onRun(finding, trial.seed(), trial.result(), trial.isCounted());
            if (trial.isCounted()) {
                matrix.add(finding, trial.result().result().verdict());
            }
        }
    }
}
