package org.naklab.lab.tools.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.tools.tune.workload.Metric;

/** The runs of an arm so far. A run that fails leaves a reason in place of a sample, and the others go on. */
final class ArmRuns {
    /** Failures one after the other that end an arm. */
    static final int MOST_FAILURES = 3;

    private final Arm arm;
    private final NavigableMap<Integer, Sample> samples = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private int failuresInARow;

    ArmRuns(Arm arm) {
        this.arm = arm;
    }

    /**
     * One run.
     *
     * @param sample {@code null}: the run failed
     * @param failure why it did; empty if it did not
     */
    record Run(@Nullable Sample sample, String failure) {}

    /** Runs once. */
    Run measure(long seed, Measurement measurement, Metric metric) throws InterruptedException {
        try {
            Sample sample = measurement.measure(arm, seed);
            if (sample.effect().missing().isEmpty() && !metric.admits(sample.value())) {
                return new Run(
                        null,
                        "the value is " + sample.value() + ", of which no " + (metric.isShare() ? "share" : "ratio")
                                + " can be taken");
            }
            return new Run(sample, "");
        } catch (LabException | IllegalStateException failed) {
            return new Run(null, String.valueOf(failed.getMessage()));
        }
    }

    /** Adds a run of a round, counted from 0. */
    void add(int round, Run run) {
        Sample sample = run.sample();
        if (sample == null) {
            failures.add("round " + (round + 1) + ": " + run.failure());
            failuresInARow++;
        } else {
            samples.put(round, sample);
            failuresInARow = 0;
        }
    }

    Arm arm() {
        return arm;
    }

    /** Returns the samples by their rounds. */
    NavigableMap<Integer, Sample> samples() {
        return samples;
    }

    List<String> failures() {
        return failures;
    }

    /** Returns whether it is of no use to run the arm again. */
    boolean hasFailed() {
        return failuresInARow >= MOST_FAILURES;
    }
}
