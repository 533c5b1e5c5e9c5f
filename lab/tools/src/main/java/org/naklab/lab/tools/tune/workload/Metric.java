package org.naklab.lab.tools.tune.workload;

/** Tells what the value of a workload is. */
public enum Metric {
    EVENTS("events/s", true),
    ADDITIONS("additions/s", true),
    MEBIBYTES("MiB/s", true),
    MESSAGES("messages waiting", false),
    NANOSECONDS("ns", false),
    MICROSECONDS("µs", false),
    MILLISECONDS("ms", false),
    /** A number that a program prints. */
    LOW_FIGURE("as printed, lower is better", false),
    HIGH_FIGURE("as printed, higher is better", true),
    /** A run hits, value 1, or does not, value 0: the shares of runs that hit are compared, and none is the better one. */
    HITS("hits", false);

    private final String unit;
    private final boolean isHigherBetter;

    Metric(String unit, boolean isHigherBetter) {
        this.unit = unit;
        this.isHigherBetter = isHigherBetter;
    }

    /** Returns the unit, with the thing that is counted. */
    public String unit() {
        return unit;
    }

    /** Returns whether the value says only whether the run hit. */
    public boolean isShare() {
        return this == HITS;
    }

    /** Returns whether the comparison can take the value: ratios need one above 0. */
    public boolean admits(double value) {
        return isShare() ? value == 0 || value == 1 : value > 0 && Double.isFinite(value);
    }

    /** Returns whether a higher value is the better one. */
    public boolean isHigherBetter() {
        return isHigherBetter;
    }
}
