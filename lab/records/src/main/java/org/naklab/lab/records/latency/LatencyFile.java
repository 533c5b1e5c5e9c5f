package org.naklab.lab.records.latency;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code latency.json}: the latencies of a run as curves, one element for each subscriber. */
public record LatencyFile(List<Subscriber> subscribers) {
    /** Name of the file in a run's directory. */
    public static final String NAME = "latency.json";

    /**
     * The latencies of one subscriber.
     *
     * @param dueToBook the percentiles from the due time to the order books
     * @param dueToJournaled the percentiles from the due time to the journal; empty for a gateway
     * @param intervalNs length of the intervals
     * @param intervals from due to in the order books, by the due time; those without events are left out
     */
    public record Subscriber(
            String name, List<Point> dueToBook, List<Point> dueToJournaled, long intervalNs, List<Interval> intervals) {
        public Subscriber {
            name = name == null ? "" : name;
            dueToBook = orNone(dueToBook);
            dueToJournaled = orNone(dueToJournaled);
            intervals = orNone(intervals);
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
     * @param atNs its beginning, CLOCK_MONOTONIC
     */
    public record Interval(long atNs, int count, double p50Us, double maxUs) {}

    public LatencyFile {
        subscribers = orNone(subscribers);
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
