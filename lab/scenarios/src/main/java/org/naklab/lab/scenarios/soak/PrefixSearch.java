package org.naklab.lab.scenarios.soak;

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
         * @return whether the run fails
         */
        boolean fails(int count) throws InterruptedException;
    }

    /**
     * Returns the length of the shortest beginning that fails. A beginning that fails is taken to fail with more faults as well; of a
     * failure that comes and goes, the result is a beginning that was seen to fail.
     *
     * @param failing the length of a beginning that fails
     */
    public static int shortest(int failing, Trial trial) throws InterruptedException {
        int least = 0;
        int most = failing;
        while (least < most) {
            int middle = (least + most) / 2;
            if (trial.fails(middle)) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        return most;
    }

    /** Returns how many runs a search takes at most. */
    public static int mostRuns(int failing) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(failing);
    }
}
