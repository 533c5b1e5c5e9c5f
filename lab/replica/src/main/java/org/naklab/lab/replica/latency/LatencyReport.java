package org.naklab.lab.replica.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Units;
import org.naklab.messaging.latency.LatencyHistogram;
import org.naklab.subscriber.latency.LatencySeries;
import org.naklab.subscriber.latency.ServiceLatency;

/**
 * The latencies of a subscriber after the warm-up.
 *
 * @param over1Ms events that were in the books more than 1 ms after they were due
 * @param over10Ms of these, those of more than 10 ms
 * @param over100Ms of these, those of more than 100 ms
 * @param leftOut events whose due time cannot be right: it is not before their receipt, or more than an hour before
 * @param intervalNs length of the intervals
 * @param intervals from due to in the books, by the due time; those without events are left out
 */
public record LatencyReport(
        Hop dueToSent,
        Hop sentToReceived,
        Hop receivedToJournaled,
        Hop receivedToBook,
        Hop dueToJournaled,
        Hop dueToBook,
        Hop repair,
        Hop boundaryToSnapshot,
        long over1Ms,
        long over10Ms,
        long over100Ms,
        long leftOut,
        long intervalNs,
        List<Interval> intervals) {
    /**
     * The distribution of one hop; latencies in microseconds, 0 if nothing was counted.
     *
     * @param points of the percentile plot
     */
    public record Hop(long count, double p50Us, double p99Us, double p999Us, double maxUs, List<Point> points) {
        public Hop {
            points = List.copyOf(points);
        }

        private static Hop of(LatencyHistogram latencies) {
            return new Hop(
                    latencies.count(),
                    micros(latencies.valueNs(50)),
                    micros(latencies.valueNs(99)),
                    micros(latencies.valueNs(99.9)),
                    micros(latencies.maxNs()),
                    latencies.points().stream()
                            .map(point -> new Point(point.percentile(), micros(point.latencyNs())))
                            .toList());
        }
    }

    /**
     * A point of a percentile plot.
     *
     * @param percentile 0 to 100
     */
    public record Point(double percentile, double latencyUs) {}

    /**
     * The events that were due in an interval.
     *
     * @param beginNs of the interval, CLOCK_MONOTONIC
     */
    public record Interval(long beginNs, int count, double p50Us, double maxUs) {}

    public LatencyReport {
        intervals = List.copyOf(intervals);
    }

    /** Returns the report of a subscriber that receives nothing any more. */
    public static LatencyReport of(ServiceLatency latency) {
        LatencyHistogram dueToBook = latency.book().dueToBook();
        LatencySeries series = latency.book().series();
        List<Interval> intervals = new ArrayList<>();
        series.forEach(entry -> intervals.add(
                new Interval(entry.beginNs(), entry.count(), micros(entry.medianNs()), micros(entry.maxNs()))));
        return new LatencyReport(
                Hop.of(latency.book().dueToSent()),
                Hop.of(latency.book().sentToReceived()),
                Hop.of(latency.journal().receivedToJournaled()),
                Hop.of(latency.book().receivedToBook()),
                Hop.of(latency.journal().dueToJournaled()),
                Hop.of(dueToBook),
                Hop.of(latency.repairs()),
                Hop.of(latency.snapshots().boundaryToReceived()),
                dueToBook.countAbove(TimeUnit.MILLISECONDS.toNanos(1)),
                dueToBook.countAbove(TimeUnit.MILLISECONDS.toNanos(10)),
                dueToBook.countAbove(TimeUnit.MILLISECONDS.toNanos(100)),
                latency.book().leftOut(),
                series.intervalNs(),
                intervals);
    }

    private static double micros(long nanos) {
        return nanos / Units.NS_PER_US;
    }
}
