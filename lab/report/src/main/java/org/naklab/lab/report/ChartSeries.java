package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of a chart.
 *
 * @param kind how it is drawn: {@link #LINE}, {@link #LIMIT}, or {@link #TICKS} of a counter: one where it grows
 * @param colour by what it stands for: a process, or a quantity
 * @param right whether on the right axis
 * @param divisor what makes the axis' unit of {@code y}
 * @param x microseconds on the time axis, each less the one before
 * @param y as measured
 */
record ChartSeries(String name, String kind, String colour, boolean right, long divisor, List<Long> x, List<Long> y) {
    static final String LINE = "line";
    static final String LIMIT = "limit";
    static final String TICKS = "ticks";

    ChartSeries {
        x = List.copyOf(x);
        y = List.copyOf(y);
    }

    static ChartSeries of(String name, String kind, String colour, SampleSeries samples, TimeAxis axis, long divisor) {
        List<Long> x = new ArrayList<>(samples.size());
        List<Long> y = new ArrayList<>(samples.size());
        long last = 0;
        for (int i = 0; i < samples.size(); i++) {
            long now = axis.microseconds(samples.timeNs(i));
            x.add(now - last);
            y.add(samples.value(i));
            last = now;
        }
        return new ChartSeries(name, kind, colour, false, divisor, x, y);
    }

    /** Returns this line under another name. */
    ChartSeries named(String other) {
        return new ChartSeries(other, kind, colour, right, divisor, x, y);
    }

    ChartSeries onTheRight() {
        return new ChartSeries(name, kind, colour, true, divisor, x, y);
    }
}
