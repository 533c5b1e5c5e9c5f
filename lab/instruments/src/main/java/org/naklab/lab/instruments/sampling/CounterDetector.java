package org.naklab.lab.instruments.sampling;

/**
 * Makes events of a counter that only grows. The first growth is reported with the sample that sees it; while the counter goes on
 * growing, the sum since then is reported once per interval, so that a flood makes few events and none is lost.
 */
public final class CounterDetector {
    private final long intervalNs;
    private long last;
    private long unreported;
    private long firstUnreportedNs;
    private long nextReportNs = Long.MIN_VALUE;

    /**
     * Creates a rule for one counter.
     *
     * @param baseline the counter's value when the watch began; what is up to there is not reported
     */
    public CounterDetector(long intervalNs, long baseline) {
        this.intervalNs = intervalNs;
        last = baseline;
    }

    /**
     * Takes a reading. Times are offsets on one clock.
     *
     * @return how much is to be reported now, since {@link #sinceNs}; 0 for nothing
     */
    public long update(long nowNs, long value) {
        if (value > last) {
            if (unreported == 0) {
                firstUnreportedNs = nowNs;
            }
            unreported += value - last;
        }
        last = value;
        if (unreported == 0 || (nextReportNs != Long.MIN_VALUE && nowNs - nextReportNs < 0)) {
            return 0;
        }
        long report = unreported;
        unreported = 0;
        nextReportNs = nowNs + intervalNs;
        return report;
    }

    /** Returns the growth not yet reported, which is reported with that, since {@link #sinceNs}. */
    public long take() {
        long taken = unreported;
        unreported = 0;
        return taken;
    }

    /** Returns the growth not yet reported; for the end. */
    public long unreported() {
        return unreported;
    }

    /** Returns the time at which the first of the last reported counts was observed. */
    public long sinceNs() {
        return firstUnreportedNs;
    }
}
