package org.naklab.lab.bench;

import java.util.Arrays;
import java.util.List;

/**
 * A median, and between which two of the measured values the true one lies, with 95 % confidence. By ranks, so that nothing is
 * assumed of how the values scatter; fewer than six values say no more than their span.
 */
public record MedianInterval(double low, double median, double high) {
    private static final double TAIL = 0.025;

    /** Of at least one value, in any order. */
    public static MedianInterval of(List<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Of at least one value, in any order. */
    static MedianInterval of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int cut = Math.max(0, rank(sorted.length) - 1);
        return new MedianInterval(sorted[cut], Rounds.median(sorted), sorted[sorted.length - 1 - cut]);
    }

    /** The most values that may lie on the wrong side of the median, plus one: a fair coin's tail. */
    private static int rank(int count) {
        double probability = Math.pow(0.5, count);
        double tail = probability;
        int rank = 0;
        while (tail <= TAIL) {
            rank++;
            probability *= (double) (count - rank + 1) / rank;
            tail += probability;
        }
        return rank;
    }
}
