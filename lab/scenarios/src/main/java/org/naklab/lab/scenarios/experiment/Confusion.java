package org.naklab.lab.scenarios.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.Cancellation;

/**
 * Injects each cause several times and compares it with the diagnosis. A run that is in doubt, because the whole machine stalled or an
 * instrument was blind, is repeated; every attempt is counted.
 */
public final class Confusion {
    /** Maximum number of runs for one cause and seed. */
    static final int ATTEMPTS = 3;

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

        /** A run was in doubt and will be repeated. */
        void onRepeated(Cause cause, long seed, Attempt attempt);

        /** A run counts. */
        void onCounted(Cause cause, long seed, Attempt attempt);

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
            throw new UsageException(
                    "no scenario injects the cause '" + cause + "'; there are: " + String.join(", ", known));
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
        cases.stream().filter(each -> each.refusal().isEmpty()).forEach(each -> runs.check(each, firstSeed));
        ConfusionMatrix matrix = new ConfusionMatrix();
        for (Case each : cases) {
            Optional<String> refusal = each.refusal();
            if (refusal.isPresent()) {
                matrix.leaveOut(each.cause(), refusal.get());
                listener.onSkipped(each.cause(), refusal.get());
            } else {
                for (long seed = firstSeed; seed < firstSeed + seeds && !cancellation.isRequested(); seed++) {
                    matrix.add(
                            each.cause(),
                            settled(each, seed, matrix, cancellation).result());
                }
            }
        }
        return matrix;
    }

    /** Repeats a run that is in doubt, and returns the one that counts. */
    private Attempt settled(Case chosen, long seed, ConfusionMatrix matrix, Cancellation cancellation)
            throws InterruptedException {
        Attempt attempt = attempt(chosen, seed, matrix, cancellation);
        for (int i = 1; i < ATTEMPTS && isInDoubt(chosen, attempt.result()) && !cancellation.isRequested(); i++) {
            listener.onRepeated(chosen.cause(), seed, attempt);
            gate.await(cancellation, listener::onWaiting);
            attempt = attempt(chosen, seed, matrix, cancellation);
        }
        listener.onCounted(chosen.cause(), seed, attempt);
        return attempt;
    }

    private Attempt attempt(Case chosen, long seed, ConfusionMatrix matrix, Cancellation cancellation)
            throws InterruptedException {
        Attempt attempt = runs.run(chosen, seed, cancellation);
        matrix.addAttempt(chosen.cause());
        return attempt;
    }

    private static boolean isInDoubt(Case chosen, RunResult result) {
        return result.verdict() == Verdict.UNKNOWN || chosen.scenario().isSpoiled(result.outcome());
    }
}
