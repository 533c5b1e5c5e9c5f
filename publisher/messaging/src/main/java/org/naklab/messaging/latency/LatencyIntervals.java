package org.naklab.messaging.latency;

import org.HdrHistogram.Histogram;

/**
 * Tells the percentiles of the latencies that a histogram has counted since it was last asked. Costs the recording thread nothing: what was counted is copied, and what was
 * counted before is subtracted. While that thread records, the latencies of that moment may be counted in the next interval. One thread.
 */
public final class LatencyIntervals {
    private final LatencyHistogram counted;
    private final Histogram interval = LatencyHistogram.empty();
    private Histogram before = LatencyHistogram.empty();
    private Histogram now = LatencyHistogram.empty();

    /**
     * The latencies of an interval, ns; 0 if nothing was counted.
     *
     * @param count of latencies
     */
    public record Percentiles(long count, long p50Ns, long p99Ns, long p999Ns) {}

    /** @param counted is never reset */
    public LatencyIntervals(LatencyHistogram counted) {
        this.counted = counted;
    }

    /** Ends an interval, which began when this was called before. */
    public Percentiles next() {
        counted.copyInto(now);
        interval.reset();
        interval.add(now);
        interval.subtract(before);
        Histogram latest = now;
        now = before;
        before = latest;
        return new Percentiles(
                interval.getTotalCount(),
                interval.getValueAtPercentile(50),
                interval.getValueAtPercentile(99),
                interval.getValueAtPercentile(99.9));
    }
}
