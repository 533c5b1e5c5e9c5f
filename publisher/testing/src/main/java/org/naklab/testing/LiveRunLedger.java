package org.naklab.testing;

import java.io.IOException;
import java.util.List;

/**
 * Counts the live runs of a build, a line a run: test, attempt, {@code last} or {@code again}, and what happened to the machine. Of all runs 10 % may be made again, and
 * 3 in any case.
 */
final class LiveRunLedger {
    static final int LEAST_ALLOWED = 3;
    private static final int RUNS_PER_REPETITION = 10;

    private final BuildLedger lines;

    LiveRunLedger(BuildLedger lines) {
        this.lines = lines;
    }

    static LiveRunLedger ofThisBuild() {
        return new LiveRunLedger(BuildLedger.ofThisBuild("live-runs.csv"));
    }

    void recordLast(String test, int attempts, Disturbance disturbance) throws IOException {
        append(test, attempts, "last", disturbance);
    }

    /**
     * Records a run of a disturbed machine that was not the last attempt, and returns whether it may be made again: too many runs of this build must not be.
     */
    boolean recordAgain(String test, int attempts, Disturbance disturbance) throws IOException {
        List<String> runs = append(test, attempts, "again", disturbance);
        long again = runs.stream().filter(run -> run.contains(",again,")).count();
        return again <= Math.max(LEAST_ALLOWED, runs.size() / RUNS_PER_REPETITION);
    }

    private List<String> append(String test, int attempts, String what, Disturbance disturbance) throws IOException {
        return lines.append(test.replace(',', ' ') + ',' + attempts + ',' + what + ',' + disturbance);
    }
}
