package org.naklab.lab.core;

import java.util.stream.DoubleStream;

/** Finds the median of a handful of values. A histogram is for many: it would round each value to its digits. */
public final class Median {
    private Median() {}

    /**
     * Returns the middle value; of an even number of values, the mean of the two in the middle.
     *
     * @param values at least one, in any order
     */
    public static double of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
