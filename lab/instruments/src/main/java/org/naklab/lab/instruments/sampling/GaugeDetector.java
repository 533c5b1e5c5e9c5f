package org.naklab.lab.instruments.sampling;

/**
 * Detects a high value of a gauge that should be low: at or over the threshold in every sample for {@code persistNs}. The
 * period begins with the first of these samples, and ends when a sample is below half of the threshold. Allocation-free.
 */
final class GaugeDetector {
    private final long threshold;
    private final long persistNs;
    private long beganNs;
    private long peak;
    private boolean over;
    private boolean reported;

    GaugeDetector(long threshold, long persistNs) {
        this.threshold = threshold;
        this.persistNs = persistNs;
    }

    /** Takes a sample; returns true once for each period of a high value. */
    boolean update(long nowNs, long value) {
        if (value >= threshold && !over) {
            over = true;
            beganNs = nowNs;
            peak = value;
        } else if (over && (value < threshold / 2 || (!reported && value < threshold))) {
            over = false;
            reported = false;
        }
        peak = Math.max(peak, value);
        if (over && !reported && nowNs - beganNs >= persistNs) {
            reported = true;
            return true;
        }
        return false;
    }

    long beganNs() {
        return beganNs;
    }

    long peak() {
        return peak;
    }
}
