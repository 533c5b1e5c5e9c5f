package org.naklab.lab.tools.tune.command;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.tools.tune.Arm;
import org.naklab.lab.tools.tune.ArmResult;
import org.naklab.lab.tools.tune.KernelMeasurement;
import org.naklab.lab.tools.tune.Measurement;
import org.naklab.lab.tools.tune.Tuning;
import org.naklab.lab.tools.tune.workload.Metric;

/**
 * Compares arms in rounds, says after each round what is known, and prints one table.
 *
 * @param isPrinted whether the table is printed; the progress is in any case
 * @param rounds the most runs of an arm
 * @param margin effects smaller than this make no difference
 * @param seed of the first round
 */
public record ArmComparer(Terminal terminal, boolean isPrinted, int rounds, double margin, long seed) {
    /**
     * Tells what the arms are compared by.
     *
     * @param summary of what is measured
     */
    public record Target(String summary, Metric metric, Measurement measurement) {
        /** Returns the target of a program whose exit code says whether a run hits. */
        public static Target ofExits(Measurement measurement) {
            return new Target("the runs that end with exit code 1", Metric.HITS, measurement);
        }
    }

    /**
     * Runs the arms, and returns what came out.
     *
     * @param name of the task or of the ready-made comparison
     * @param control the arm with which the others are compared
     * @param arms the others; empty: nothing is run
     * @param leftOut why further arms cannot be run here, by name
     */
    public Comparison compare(String name, Target target, Arm control, List<Arm> arms, Map<String, String> leftOut)
            throws InterruptedException {
        leftOut.forEach((arm, reason) -> terminal.err().println("left out: " + arm + ": " + reason));
        List<ArmResult> results = List.of();
        if (!arms.isEmpty()) {
            AtomicReference<List<ArmResult>> known = new AtomicReference<>(List.of());
            try (KernelMeasurement measurement = new KernelMeasurement(target.measurement());
                    StepProgress progress = StepProgress.untilInterrupted(
                            terminal,
                            rounds,
                            () -> print(comparison(name, target, Objects.requireNonNull(known.get()), leftOut)))) {
                results = new Tuning(rounds, margin, target.metric()).run(control, arms, seed, measurement, round -> {
                    known.set(round);
                    report(round, progress);
                });
            }
        }
        Comparison comparison = comparison(name, target, results, leftOut);
        print(comparison);
        return comparison;
    }

    private Comparison comparison(String name, Target target, List<ArmResult> results, Map<String, String> leftOut) {
        return new Comparison(
                name,
                target.summary(),
                target.metric(),
                margin,
                results.stream().map(TunedArm::of).toList(),
                leftOut);
    }

    private void print(Comparison comparison) {
        if (isPrinted && !comparison.arms().isEmpty()) {
            new TuneTables(terminal).print(comparison);
        }
    }

    /** Reports the arms that ran in the last round: the control runs in every one. */
    private void report(List<ArmResult> results, StepProgress progress) {
        int round = runs(results.get(0));
        String head = "round " + progress.ended();
        results.stream()
                .filter(result -> runs(result) == round)
                .map(TunedArm::of)
                .forEach(arm -> report(round, head, arm));
    }

    private void report(int round, String head, TunedArm arm) {
        if (arm.answer() != null) {
            terminal.printHanging(terminal.err(), head, arm.name() + "  " + arm.effectText() + "  " + arm.answer());
        }
        String ofRound = "round " + round + ": ";
        arm.tries().failures().stream()
                .filter(failure -> failure.startsWith(ofRound))
                .forEach(failure -> terminal.printHanging(terminal.err(), "left out: " + arm.name() + ": ", failure));
    }

    private static int runs(ArmResult result) {
        return result.samples().size() + result.failures().size();
    }
}
