package org.naklab.lab.instruments.sampling;

import java.util.Arrays;

/**
 * Detects bursts of traffic. Arrivals are counted in windows of 10 ms; the baseline is the mean of the last 100 windows that
 * were no burst. A burst is two or more windows in a row with at least three times the baseline, and with at least
 * {@code minimum} arrivals. A sender that catches up after a delay of one window causes no burst. What lasts for as long as the baseline, 100 windows, is the new rate:
 * the burst ends, and its mean is the baseline. Allocation-free.
 */
final class BurstDetector {
    static final long WINDOW_NS = 10_000_000L;
    private static final int BASELINE_WINDOWS = 100;
    private static final int MIN_BASELINE_WINDOWS = 20;
    private static final int FACTOR = 3;
    private static final int MIN_WINDOWS = 2;

    private final long minimum;
    private final long[] recent = new long[BASELINE_WINDOWS];
    private long recentSum;
    private long recentCount;
    private long windowsOver;
    private long overSum;
    private long beganNs;
    private long peak;
    private long lengthNs;
    private long formerBaseline;

    BurstDetector(long minimum) {
        this.minimum = minimum;
    }

    /** Takes a window that has ended; true when a burst has ended with it. */
    boolean update(long windowBeganNs, long arrivals) {
        boolean over = recentCount >= MIN_BASELINE_WINDOWS && arrivals >= minimum && arrivals >= FACTOR * baseline();
        if (over) {
            if (windowsOver == 0) {
                beganNs = windowBeganNs;
                peak = 0;
                overSum = 0;
            }
            windowsOver++;
            overSum += arrivals;
            peak = Math.max(peak, arrivals);
            return windowsOver == BASELINE_WINDOWS && endAsNewRate(windowBeganNs + WINDOW_NS);
        }
        boolean burst = end(windowBeganNs);
        remember(arrivals);
        return burst;
    }

    private boolean endAsNewRate(long nowNs) {
        boolean burst = end(nowNs);
        Arrays.fill(recent, overSum / BASELINE_WINDOWS);
        recentSum = recent[0] * BASELINE_WINDOWS;
        recentCount = BASELINE_WINDOWS;
        return burst;
    }

    /** Ends the series of windows; returns true when that ends a burst. */
    boolean end(long nowNs) {
        boolean burst = windowsOver >= MIN_WINDOWS;
        if (burst) {
            formerBaseline = baseline();
            lengthNs = nowNs - beganNs;
        }
        windowsOver = 0;
        return burst;
    }

    /** Returns the mean arrivals in a window before the last burst. */
    long formerBaseline() {
        return formerBaseline;
    }

    private long baseline() {
        return recentCount == 0 ? 0 : recentSum / Math.min(recentCount, BASELINE_WINDOWS);
    }

    long beganNs() {
        return beganNs;
    }

    long lengthNs() {
        return lengthNs;
    }

    /** Returns the most arrivals in a window of the last burst. */
    long peak() {
        return peak;
    }

    /** Returns the arrivals of the last burst. */
    long total() {
        return overSum;
    }

    private void remember(long arrivals) {
        int index = (int) (recentCount % BASELINE_WINDOWS);
        recentSum += arrivals - recent[index];
        recent[index] = arrivals;
        recentCount++;
    }
}
