package org.naklab.lab.report.latency;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.records.latency.LatencyFile;

/**
 * The distribution of the latencies from due to in the order books, a curve for each subscriber.
 *
 * @param curves those with any event
 */
public record PercentilePlot(List<Curve> curves) {
    private static final double WHOLE = 100;
    private static final double MIN_LATENCY_US = 1;

    /**
     * A curve.
     *
     * @param points each the number of nines (1: 90 %, 2: 99 %), and the latency in ms
     */
    public record Curve(String name, List<List<Double>> points) {
        public Curve {
            points = List.copyOf(points);
        }
    }

    public PercentilePlot {
        curves = List.copyOf(curves);
    }

    /** Returns the plot of a run. */
    public static PercentilePlot of(LatencyFile file) {
        return new PercentilePlot(file.subscribers().stream()
                .filter(subscriber -> !subscriber.dueToBook().isEmpty())
                .map(subscriber -> new Curve(subscriber.name(), points(subscriber)))
                .toList());
    }

    /** Returns whether there is nothing to draw. */
    public boolean isEmpty() {
        return curves.isEmpty();
    }

    private static List<List<Double>> points(LatencyFile.Subscriber subscriber) {
        long events = subscriber.intervals().stream()
                .mapToLong(LatencyFile.Interval::count)
                .sum();
        // The longest of n latencies stands for the last n-th part, in whose middle it is drawn.
        double last = 1 - 0.5 / Math.max(1, events);
        List<List<Double>> points = new ArrayList<>();
        for (LatencyFile.Point point : subscriber.dueToBook()) {
            double nines = Math.max(0, -Math.log10(1 - Math.min(last, point.percentile() / WHOLE)));
            points.add(List.of(nines, Math.max(MIN_LATENCY_US, point.latencyUs()) / 1_000));
        }
        return points;
    }
}
