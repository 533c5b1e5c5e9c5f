package org.naklab.lab.bench.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.naklab.lab.core.LabException;

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

    /** Runs once. */
    void run(int round, long seed, Measurement measurement) throws InterruptedException {
        try {
            Sample sample = measurement.measure(arm, seed);
            if (sample.missing().isEmpty() && !(sample.value() > 0 && Double.isFinite(sample.value()))) {
                throw new LabException("the value is " + sample.value() + ", of which no ratio can be taken");
            }
            samples.put(round, sample);
            failuresInARow = 0;
        } catch (LabException | IllegalStateException failed) {
            failures.add("round " + (round + 1) + ": " + failed.getMessage());
            failuresInARow++;
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
