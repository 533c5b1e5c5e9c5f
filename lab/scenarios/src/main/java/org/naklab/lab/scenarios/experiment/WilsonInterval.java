package org.naklab.lab.scenarios.experiment;

import java.util.Locale;

/**
 * An observed proportion and its 95 % confidence interval. Wilson's score interval: unlike the normal approximation it is valid for few
 * runs and for proportions of 0 and 1.
 *
 * <p>Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American
 * Statistical Association 22 (1927), 209-212.
 */
public record WilsonInterval(int hits, int trials, double low, double high) {
    /** 0.975 quantile of the normal distribution. */
    private static final double Z = 1.959_963_984_540_054;

    /**
     * The interval of so many hits in so many trials.
     *
     * @throws IllegalArgumentException when there are more hits than trials, or fewer than none
     */
    public static WilsonInterval of(int hits, int trials) {
        if (hits < 0 || hits > trials) {
            throw new IllegalArgumentException(hits + " of " + trials);
        }
        if (trials == 0) {
            return new WilsonInterval(0, 0, 0, 1);
        }
        double share = (double) hits / trials;
        double denominator = 1 + Z * Z / trials;
        double middle = (share + Z * Z / (2 * trials)) / denominator;
        double reach = Z / denominator * Math.sqrt(share * (1 - share) / trials + Z * Z / (4.0 * trials * trials));
        return new WilsonInterval(hits, trials, hits == 0 ? 0 : middle - reach, hits == trials ? 1 : middle + reach);
    }

    /** Returns the counts and the interval in percent, for people. */
    public String text() {
        return String.format(Locale.ROOT, "%d of %d, %.0f to %.0f %%", hits, trials, 100 * low, 100 * high);
    }
}
