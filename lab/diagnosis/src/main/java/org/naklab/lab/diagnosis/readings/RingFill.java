package org.naklab.lab.diagnosis.readings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;

/** Tells when the ring between the receipt thread and its consumers was full, from the readings of its depth. */
public final class RingFill {
    /** The depth of a full ring changes a little between two refusals. */
    private static final double FULL = 0.95;

    private final List<Reading> depths;

    /** @param readings by the name of the series, each by time */
    public RingFill(Map<SeriesName, List<Reading>> readings, String process) {
        depths = readings.getOrDefault(SeriesName.ofProcess(SeriesSource.GAUGE, process, "ringDepthSlots"), List.of());
    }

    /** Returns the largest depth in a span, messages; -1 if it was not read then. */
    public long deepest(Interval span) {
        long deepest = -1;
        for (int i = 0; i < depths.size(); i++) {
            long untilNs = i + 1 < depths.size() ? depths.get(i + 1).timeNs() : span.endNs();
            Interval lasting =
                    new Interval(depths.get(i).timeNs(), Math.max(depths.get(i).timeNs(), untilNs));
            if (span.contains(depths.get(i).timeNs()) || lasting.overlaps(span)) {
                deepest = Math.max(deepest, depths.get(i).value());
            }
        }
        return deepest;
    }

    /** Returns the times within a span in which the depth was the largest of the span, for a ring that is known to have been full in it. */
    public List<Interval> full(Interval span) {
        double least = FULL * deepest(span);
        List<Interval> full = new ArrayList<>();
        for (int i = 0; least > 0 && i < depths.size(); i++) {
            long untilNs = i + 1 < depths.size()
                    ? depths.get(i + 1).timeNs()
                    : depths.get(i).timeNs();
            if (depths.get(i).value() >= least) {
                new Interval(depths.get(i).timeNs(), untilNs).intersection(span).ifPresent(full::add);
            }
        }
        return Interval.union(full);
    }
}
