package org.naklab.lab.studies.observer;

import java.util.List;

/**
 * The overhead of the instruments: the part of the rate that is lost with them, 0 to 1, and its 95 % confidence interval.
 *
 * <p>The loss is one of sums, so that slow rounds do not count as much as fast ones and nothing that lasts for moments is left out, as a median
 * would. Neighbouring rounds share a slice without instruments: their errors belong together.
 */
record OverheadEstimate(double low, double loss, double high) {
    private static final double NORMAL_95 = 1.96;

    /** Rates of one round: of the slice with instruments, and the mean of the two beside it. */
    record Round(double watched, double alone) {
        static Round between(double before, double watched, double after) {
            return new Round(watched, (before + after) / 2);
        }

        double loss() {
            return 1 - watched / alone;
        }
    }

    /** Estimates the overhead from at least one round; the rounds are in the order of time. */
    static OverheadEstimate of(List<Round> rounds) {
        double watched = 0;
        double alone = 0;
        for (Round round : rounds) {
            watched += round.watched();
            alone += round.alone();
        }
        double loss = 1 - watched / alone;
        double error = NORMAL_95 * Math.sqrt(variance(rounds, loss)) / alone;
        return new OverheadEstimate(loss - error, loss, loss + error);
    }

    /** Returns the variance of the sum of the rounds' errors, including the covariance of neighbouring rounds. */
    private static double variance(List<Round> rounds, double loss) {
        double variance = 0;
        double before = 0;
        for (Round round : rounds) {
            double error = round.alone() * (1 - loss) - round.watched();
            variance += error * error + 2 * error * before;
            before = error;
        }
        return Math.max(0, variance);
    }
}
