package org.naklab.testing;

import java.util.Locale;

/**
 * Tells what kept the machine from a run, by figures that the run itself cannot raise over the bounds.
 *
 * @param stolen share of the time of all CPUs that the hypervisor took, 0 to 1
 * @param pressure share of the time in which some task of the machine waited for a CPU, 0 to 1; the run's own tasks wait for each other too
 * @param foreign share of the time of all CPUs that processes outside the test used, 0 to 1
 * @param latestTimerNs by which the latest of the timers of an idle thread was late
 */
record Disturbance(double stolen, double pressure, double foreign, long latestTimerNs) {
    private static final double MOST_STOLEN = 0.05;

    /** With one busy process beside it on two CPUs a run has to manage; others with more than that are a disturbance. */
    private static final double MOST_FOREIGN = 0.6;

    private static final double MOST_PRESSURE = 0.6;

    /** The scheduler lets a thread that slept go first, so that a machine that is only busy is late by a few slices, 20 ms at most. */
    private static final long LATEST_TIMER_NS = 100_000_000;

    boolean isDisturbed() {
        return stolen > MOST_STOLEN
                || (pressure > MOST_PRESSURE && foreign > MOST_FOREIGN)
                || latestTimerNs > LATEST_TIMER_NS;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.1f %% stolen; %.1f %% of the time a task waited for a CPU; others used %.1f %% of the CPUs; an idle timer was %.1f ms late",
                100 * stolen,
                100 * pressure,
                100 * foreign,
                latestTimerNs / 1e6);
    }
}
