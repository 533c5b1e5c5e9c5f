package org.naklab.faults;

/** Bounds of parameters. Every fault is bounded in size and time. */
public final class Limits {
    private Limits() {}

    /**
     * The value, if it lies within the bounds, both included.
     *
     * @throws FaultException naming the parameter and the bounds
     */
    public static long within(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new FaultException(name + " must be from " + min + " to " + max + ": " + value);
        }
        return value;
    }

    /** An {@code int} within bounds. */
    public static int within(String name, int value, int min, int max) {
        return (int) within(name, (long) value, min, max);
    }

    /** A probability, from 0 to 1. */
    public static double probability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new FaultException(name + " must be from 0 to 1: " + value);
        }
        return value;
    }
}
