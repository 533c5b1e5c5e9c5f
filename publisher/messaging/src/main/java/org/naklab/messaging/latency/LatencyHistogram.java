package org.naklab.messaging.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Counts the latencies of one hop, with three significant digits. One thread records, which allocates nothing. Other threads may read
 * after something that the recording thread has published since its last record; while it records, a reading is approximate.
 */
public final class LatencyHistogram {
    /** Longer latencies are counted as this one, ns. */
    public static final long MAX_NS = TimeUnit.HOURS.toNanos(1);

    private static final int DIGITS = 3;
    private static final int STEPS_PER_HALF_DISTANCE = 5;

    private final Histogram histogram = empty();

    /**
     * A point of the distribution.
     *
     * @param percentile 0 to 100
     * @param latencyNs that no more than this percentage of the latencies exceed
     */
    public record Point(double percentile, long latencyNs) {}

    /** Makes room for the latencies of one histogram. */
    static Histogram empty() {
        return new Histogram(MAX_NS, DIGITS);
    }

    /** Copies what was counted so far; see the class for what another thread reads. */
    void copyInto(Histogram target) {
        histogram.copyInto(target);
    }

    /** Counts one latency, ns; a negative one is counted as 0. */
    public void record(long latencyNs) {
        histogram.recordValue(Math.min(MAX_NS, Math.max(0, latencyNs)));
    }

    /** Forgets everything. */
    public void reset() {
        histogram.reset();
    }

    /** Returns the number of latencies. */
    public long count() {
        return histogram.getTotalCount();
    }

    /**
     * Returns a percentile, ns; 0 if nothing was counted.
     *
     * @param percentile 0 to 100
     */
    public long valueNs(double percentile) {
        return histogram.getValueAtPercentile(percentile);
    }

    /** Returns the longest latency, ns; 0 if nothing was counted. */
    public long maxNs() {
        return histogram.getMaxValue();
    }

    /** Returns how many latencies were longer than {@code limitNs}, with the precision of the histogram. */
    public long countAbove(long limitNs) {
        long above = limitNs < MAX_NS ? histogram.nextNonEquivalentValue(limitNs) : MAX_NS;
        return count() == 0 ? 0 : histogram.getCountBetweenValues(above, MAX_NS);
    }

    /** Returns the points of a percentile plot, denser towards the longest latency; empty if nothing was counted. */
    public List<Point> points() {
        List<Point> points = new ArrayList<>();
        if (count() > 0) {
            for (HistogramIterationValue value : histogram.percentiles(STEPS_PER_HALF_DISTANCE)) {
                points.add(
                        new Point(value.getPercentileLevelIteratedTo(), Math.min(maxNs(), value.getValueIteratedTo())));
            }
        }
        return points;
    }
}
