package org.naklab.lab.tools.tune;

import org.naklab.lab.core.experiment.Answer;

/**
 * An effect with its confidence interval; one of {@link #of} may be looked at after each value: the probability that the mean is ever outside is at most {@code alpha}, so that whoever stops
 * as soon as it answers the question is not misled.
 *
 * <p>It inverts the t-test with a normal mixture over the standardized effect (Lai 1976; Wang and Ramdas 2025, "Anytime-valid t-tests and confidence
 * sequences for Gaussian means with unknown variance"), which is exact for independent normal values with an unknown variance.
 *
 * @param low infinite while there are too few values
 * @param high infinite while there are too few values
 */
public record AnytimeInterval(double low, double mean, double high) {
    /** The prior of the standardized effect has the variance 1: effects of about one standard deviation are found soonest. */
    private static final double PRIOR_PRECISION = 1;

    /**
     * Returns the interval.
     *
     * @param alpha the probability of an error, 0 to 1
     */
    public static AnytimeInterval of(double[] values, double alpha) {
        int n = values.length;
        double mean = 0;
        for (double value : values) {
            mean += value / n;
        }
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        double shrinkage = PRIOR_PRECISION / (n + PRIOR_PRECISION);
        double bound = Math.pow(1 / (alpha * Math.sqrt(shrinkage)), 2.0 / n);
        if (n < 2 || bound * shrinkage >= 1) {
            return new AnytimeInterval(Double.NEGATIVE_INFINITY, mean, Double.POSITIVE_INFINITY);
        }
        double halfWidth = Math.sqrt(squares / n * (bound - 1) / (1 - bound * shrinkage));
        return new AnytimeInterval(mean - halfWidth, mean, mean + halfWidth);
    }

    /**
     * Answers whether an arm is better than the control, if this is its effect: above 0 it is better.
     *
     * @param margin effects smaller than this do not matter
     */
    public Answer answer(double margin) {
        if (low > -margin && high < margin) {
            return Answer.NO_DIFFERENCE;
        }
        if (low > 0) {
            return Answer.HELPS;
        }
        return high < 0 ? Answer.HURTS : Answer.NOT_ENOUGH_RUNS;
    }
}
