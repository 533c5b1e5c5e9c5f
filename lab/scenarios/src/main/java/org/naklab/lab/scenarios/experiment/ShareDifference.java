package org.naklab.lab.scenarios.experiment;

/**
 * The difference of two observed proportions and its 95 % confidence interval, from Wilson's intervals of both.
 *
 * <p>Source: R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17 (1998),
 * 873-890, method 10.
 *
 * @param value -1 to 1
 */
public record ShareDifference(double value, double low, double high) {
    /** Returns the first proportion without the second. Without a trial of one of them, nothing is known: -1 to 1. */
    public static ShareDifference of(WilsonInterval first, WilsonInterval second) {
        if (first.trials() == 0 || second.trials() == 0) {
            return new ShareDifference(0, -1, 1);
        }
        double p1 = (double) first.hits() / first.trials();
        double p2 = (double) second.hits() / second.trials();
        return new ShareDifference(
                p1 - p2,
                p1 - p2 - Math.hypot(p1 - first.low(), second.high() - p2),
                p1 - p2 + Math.hypot(first.high() - p1, p2 - second.low()));
    }
}
