package org.naklab.lab.instruments.memory;

/**
 * Detects memory pressure: tasks waited for memory for at least a tenth of the last second. It reports again only after the
 * share has fallen below a twentieth. Allocation-free.
 */
public final class PressureDetector {
    private static final long WINDOW_NS = 1_000_000_000L;
    private static final double HIGH = 0.10;
    private static final double LOW = 0.05;

    private long windowBeganNs;
    private long windowBeganUs;
    private double share;
    private boolean started;
    private boolean high;

    /** Takes the total wait so far; true once for each time that the share is high. */
    public boolean update(long nowNs, long totalUs) {
        if (!started) {
            started = true;
            windowBeganNs = nowNs;
            windowBeganUs = totalUs;
            return false;
        }
        if (nowNs - windowBeganNs < WINDOW_NS) {
            return false;
        }
        share = (totalUs - windowBeganUs) * 1_000.0 / (nowNs - windowBeganNs);
        windowBeganNs = nowNs;
        windowBeganUs = totalUs;
        boolean reported = high;
        high = high ? share >= LOW : share >= HIGH;
        return high && !reported;
    }

    /** Returns the share of the last full window, 0 to 1. */
    public double share() {
        return share;
    }
}
