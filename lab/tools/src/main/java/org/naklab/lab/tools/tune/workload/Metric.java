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
    HIGH_FIGURE("as printed, higher is better", true);

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

    /** Returns whether a higher value is the better one. */
    public boolean isHigherBetter() {
        return isHigherBetter;
    }
}
