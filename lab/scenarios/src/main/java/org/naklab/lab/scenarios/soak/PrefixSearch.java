package org.naklab.lab.scenarios.soak;

import java.util.function.BooleanSupplier;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.scenarios.Verdict;

/** Searches for the shortest beginning of a plan that still fails, by bisection. */
public final class PrefixSearch {
    private PrefixSearch() {}

    /** Runs the beginning of a plan. */
    @FunctionalInterface
    public interface Trial {
        /**
         * Runs the first faults of the plan.
         *
         * @param count of the faults
         * @param isRepeat whether the run before was of the same beginning, and inconclusive
         */
        Verdict run(int count, boolean isRepeat) throws InterruptedException;
    }

    /**
     * Tells what a search came to.
     *
     * @param length of the shortest beginning that was seen to fail
     * @param inconclusive how many beginnings were tried that neither failed nor passed: one of them may be shorter and fail
     * @param isComplete false: the user has ended the search
     */
    public record Result(int length, int inconclusive, boolean isComplete) {
        /** Returns true if every shorter beginning that was tried passed. */
        public boolean isCertain() {
            return isComplete && inconclusive == 0;
        }
    }

    /**
     * Searches for the shortest beginning that fails. A beginning that fails is taken to fail with more faults as well; of a
     * failure that comes and goes, the result is a beginning that was seen to fail. An inconclusive run is repeated.
     *
     * @param failing the length of a beginning that fails
     * @param isCancelled ends the search before its next run; a run that it has cut short does not count
     */
    public static Result search(int failing, BooleanSupplier isCancelled, Trial trial) throws InterruptedException {
        int least = 0;
        int most = failing;
        int inconclusive = 0;
        while (least < most) {
            int middle = (least + most) / 2;
            Verdict verdict = Verdict.UNKNOWN;
            for (int i = 0; i < Experiment.ATTEMPTS && verdict == Verdict.UNKNOWN && !isCancelled.getAsBoolean(); i++) {
                verdict = trial.run(middle, i > 0);
            }
            if (verdict == Verdict.FAIL) {
                most = middle;
            } else if (isCancelled.getAsBoolean()) {
                return new Result(most, inconclusive, false);
            } else {
                inconclusive += verdict == Verdict.UNKNOWN ? 1 : 0;
                least = middle + 1;
            }
        }
        return new Result(most, inconclusive, true);
    }

    /** Returns how many beginnings a search tries at most. */
    public static int mostTrials(int failing) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(failing);
    }
}
