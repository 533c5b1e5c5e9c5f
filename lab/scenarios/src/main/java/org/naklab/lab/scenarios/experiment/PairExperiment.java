package org.naklab.lab.scenarios.experiment;

import java.util.List;
import java.util.Optional;
import org.naklab.lab.scenarios.runner.Cancellation;

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
        for (CausePair pair : pairs) {
            Optional<String> refusal = pair.refusal();
            if (refusal.isPresent()) {
                matrix.leaveOut(pair, refusal.get());
                listener.onSkipped(pair, refusal.get());
            } else {
                for (long seed = firstSeed; seed < firstSeed + seeds && !cancellation.isRequested(); seed++) {
                    runUntilSettled(pair, seed, matrix, cancellation);
                }
            }
        }
        return matrix;
    }

    private void runUntilSettled(CausePair pair, long seed, PairMatrix matrix, Cancellation cancellation)
            throws InterruptedException {
        for (int i = 1; i <= Confusion.ATTEMPTS; i++) {
            Confusion.Attempt attempt = runs.run(pair, seed, cancellation);
            matrix.addAttempt(pair);
            PairFinding finding = PairFinding.of(pair, attempt.result());
            boolean isCounted = !finding.isInDoubt() || i == Confusion.ATTEMPTS || cancellation.isRequested();
            listener.onRun(finding, seed, attempt, isCounted);
            if (isCounted) {
                matrix.add(finding, attempt.result().verdict());
                return;
            }
            gate.await(cancellation, listener::onWaiting);
        }
    }
}
