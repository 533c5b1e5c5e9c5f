package org.naklab.lab.campaign;

/**
 * Compares two arms by the seeds at which exactly one of them failed. The test may be looked at after each seed: if the arms fail equally
 * often, the probability that it ever says otherwise is at most 5 %.
 *
 * <p>Under the null hypothesis each such seed is a throw of a fair coin. The evidence is the likelihood of the throws, averaged over all
 * coins, divided by that of the fair coin: a martingale, which exceeds 20 with a probability of at most 1/20 (Ville's inequality). Source: H.
 * Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical Statistics 41 (1970).
 *
 * @param firstOnly seeds at which only the first arm failed
 * @param secondOnly seeds at which only the second arm failed
 */
public record PairedTest(int firstOnly, int secondOnly) {
    private static final double ERROR = 0.05;

    /** Returns whether the arms were shown to differ. */
    public boolean isDecided() {
        return logEvidence() >= -Math.log(ERROR);
    }

    /** Returns ln(2^n a! b! / (n + 1)!). */
    private double logEvidence() {
        int n = firstOnly + secondOnly;
        double log = n * Math.log(2) - Math.log(n + 1.0);
        // a! b! / n!, as a product that stays small.
        int fewer = Math.min(firstOnly, secondOnly);
        for (int i = 1; i <= fewer; i++) {
            log += Math.log((double) i / (n - fewer + i));
        }
        return log;
    }
}
