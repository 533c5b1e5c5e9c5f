package org.naklab.lab.report;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.report.Downsampler.Focus;

/** Makes lines of samples and events, thinned so that a report stays small: all samples around the longest stalls, extremes elsewhere. */
final class SeriesBuilder {
    private static final int BUCKETS = 600;
    private static final int MAX_FOCI = 3;
    private static final long BEFORE_NS = 300_000_000;
    private static final long AFTER_NS = 700_000_000;
    /** A stall of many seconds needs no sample of each millisecond. */
    private static final long LONGEST_FOCUS_NS = 2_000_000_000;

    private final RunFiles files;
    private final TimeAxis axis;
    private final Downsampler thinning;

    SeriesBuilder(RunFiles files, TimeAxis axis) {
        this.files = files;
        this.axis = axis;
        List<Focus> foci = Stream.concat(
                        files.focus().stream(),
                        files.document().longestStalls().stream()
                                .limit(MAX_FOCI)
                                .map(stall -> new Interval(stall.atNs(), stall.endNs())))
                .map(time -> new Focus(
                        time.beginNs() - BEFORE_NS,
                        Math.min(time.endNs(), time.beginNs() + LONGEST_FOCUS_NS) + AFTER_NS))
                .toList();
        thinning = Downsampler.between(axis.fromNs(), axis.toNs(), BUCKETS).except(foci);
    }

    Samples samples() {
        return files.samples();
    }

    /** A reading as it is. */
    ChartSeries gauge(String name, String kind, String colour, SeriesName series, long divisor) {
        return plot(name, kind, colour, samples().of(series), divisor);
    }

    /** Builds a line of values that no instrument sampled. */
    ChartSeries series(String name, String colour, SampleSeries values, long divisor) {
        return plot(name, ChartSeries.LINE, colour, values, divisor);
    }

    /** A counter, from 0. */
    ChartSeries counter(String name, String kind, String colour, SeriesName series) {
        return plot(name, kind, colour, samples().of(series).sinceFirst(), 1);
    }

    /** Builds the cumulative sum of a figure of events. */
    ChartSeries count(
            String name,
            String kind,
            String colour,
            List<TimelineEvent> events,
            ToLongFunction<TimelineEvent> howMuch) {
        SampleSeries steps = new SampleSeries();
        long total = 0;
        if (!events.isEmpty()) {
            steps.add(axis.fromNs(), 0);
        }
        for (TimelineEvent event : events) {
            total += howMuch.applyAsLong(event);
            steps.add(event.timeNs(), total);
        }
        return plot(name, kind, colour, steps, 1);
    }

    /** Builds rectangles from a series with one sample at the end of each gap: height and width are the length of the gap. */
    ChartSeries gaps(String name, String kind, String colour, SeriesName series, long divisor) {
        SampleSeries ends = samples().of(series);
        SampleSeries boxes = new SampleSeries();
        for (int i = 0; i < ends.size(); i++) {
            addBox(boxes, ends.timeNs(i) - ends.value(i), ends.timeNs(i));
        }
        return plot(name, kind, colour, boxes, divisor);
    }

    /** Builds rectangles from events with a duration. */
    ChartSeries lengths(String name, String kind, String colour, List<TimelineEvent> events, long divisor) {
        SampleSeries boxes = new SampleSeries();
        for (TimelineEvent event : events) {
            addBox(boxes, event.timeNs(), event.endNs());
        }
        return plot(name, kind, colour, boxes, divisor);
    }

    private void addBox(SampleSeries boxes, long beginNs, long endNs) {
        if (boxes.size() == 0) {
            boxes.add(Math.min(axis.fromNs(), beginNs), 0);
        }
        // Two readings of one gap may overlap by their coarseness; time does not go back.
        boxes.add(Math.max(beginNs, boxes.timeNs(boxes.size() - 1)), endNs - beginNs);
        boxes.add(Math.max(endNs, boxes.timeNs(boxes.size() - 1)), 0);
    }

    private ChartSeries plot(String name, String kind, String colour, SampleSeries samples, long divisor) {
        SampleSeries drawn = thinning.apply(samples.heldUntil(axis.toNs()));
        return ChartSeries.of(name, kind, colour, drawn, axis, divisor);
    }
}
