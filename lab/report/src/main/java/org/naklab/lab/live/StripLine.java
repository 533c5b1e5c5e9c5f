package org.naklab.lab.live;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.naklab.lab.report.SampleSeries;

/** One line of a strip: its samples by time, and how a column of pixels shows what lies in it. */
final class StripLine {
    /** Bytes of a column of a line: least, largest and last value as 32-bit floats, and the number of samples. */
    static final int COLUMN_BYTES = 14;

    private static final double NS_PER_MS = 1e6;

    /** What happens between two samples. */
    enum Kind {
        /** A value holds until the next one. */
        LEVEL,
        /** As a level; drawn as the bound of others. */
        LIMIT,
        /** A sample is the growth of a counter at its time; a column has the sum. */
        TICKS,
        /** Two samples are the begin and the end of a silence; its value is how long it lasts already, ms. */
        SILENCE
    }

    private final String name;
    private final String role;
    private final Kind kind;
    private final long[] timesNs;
    private final double[] values;

    private StripLine(String name, String role, Kind kind, long[] timesNs, double[] values) {
        this.name = name;
        this.role = role;
        this.kind = kind;
        this.timesNs = timesNs;
        this.values = values;
    }

    /** Takes a series as it is, divided by a number. */
    static StripLine level(String name, String role, Kind kind, SampleSeries series, double divisor) {
        double[] values = new double[series.size()];
        Arrays.setAll(values, i -> series.value(i) / divisor);
        return new StripLine(name, role, kind, times(series), values);
    }

    /** Takes the growth of a counter. */
    static StripLine growth(String name, String role, SampleSeries counter) {
        double[] values = new double[counter.size()];
        Arrays.setAll(values, i -> i == 0 ? 0 : Math.max(0, counter.value(i) - counter.value(i - 1)));
        return new StripLine(name, role, Kind.TICKS, times(counter), values);
    }

    /** Takes a series of which each sample is written at the end of a silence and is its length, ns. */
    static StripLine silences(String name, String role, SampleSeries gaps) {
        long[] times = new long[2 * gaps.size()];
        for (int i = 0; i < gaps.size(); i++) {
            long before = i == 0 ? Long.MIN_VALUE : times[2 * i - 1];
            times[2 * i] = Math.max(before, gaps.timeNs(i) - gaps.value(i));
            times[2 * i + 1] = Math.max(times[2 * i], gaps.timeNs(i));
        }
        return new StripLine(name, role, Kind.SILENCE, times, new double[times.length]);
    }

    /** Takes values at their times, which do not decrease. */
    static StripLine of(String name, String role, Kind kind, long[] timesNs, double[] values) {
        return new StripLine(name, role, kind, timesNs.clone(), values.clone());
    }

    private static long[] times(SampleSeries series) {
        long[] times = new long[series.size()];
        Arrays.setAll(times, series::timeNs);
        return times;
    }

    String name() {
        return name;
    }

    String role() {
        return role;
    }

    Kind kind() {
        return kind;
    }

    /** Returns whether any sample differs from zero. */
    boolean isEmpty() {
        return kind == Kind.SILENCE
                ? timesNs.length == 0
                : Arrays.stream(values).allMatch(value -> value == 0);
    }

    /**
     * Appends the column of a span of time.
     *
     * @param untilNs the end of the span, or the present if that is earlier: what comes later is not told
     */
    void append(ByteBuffer out, long fromNs, long untilNs) {
        switch (kind) {
            case LEVEL, LIMIT -> level(out, fromNs, untilNs);
            case TICKS -> sum(out, fromNs, untilNs);
            case SILENCE -> silence(out, fromNs, untilNs);
        }
    }

    private void level(ByteBuffer out, long fromNs, long untilNs) {
        int next = after(fromNs);
        double least = next > 0 ? values[next - 1] : Double.NaN;
        double largest = least;
        double last = least;
        int count = 0;
        for (int i = next; i < timesNs.length && timesNs[i] < untilNs; i++) {
            last = values[i];
            least = Double.isNaN(least) ? last : Math.min(least, last);
            largest = Double.isNaN(largest) ? last : Math.max(largest, last);
            count++;
        }
        put(out, least, largest, last, count);
    }

    private void sum(ByteBuffer out, long fromNs, long untilNs) {
        double sum = 0;
        int count = 0;
        for (int i = after(fromNs); i < timesNs.length && timesNs[i] < untilNs; i++) {
            sum += values[i];
            count++;
        }
        put(out, 0, sum, sum, count);
    }

    private void silence(ByteBuffer out, long fromNs, long untilNs) {
        double longest = 0;
        double last = 0;
        int count = 0;
        // The pair that holds the begin of the span, or the first after it.
        for (int i = after(fromNs) & ~1; i + 1 < timesNs.length && timesNs[i] < untilNs; i += 2) {
            double lasted = (Math.min(untilNs, timesNs[i + 1]) - timesNs[i]) / NS_PER_MS;
            longest = Math.max(longest, lasted);
            last = timesNs[i + 1] >= untilNs ? lasted : 0;
            count++;
        }
        put(out, 0, longest, last, count);
    }

    /** Returns the index of the first sample after a time. */
    private int after(long timeNs) {
        int low = 0;
        int high = timesNs.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (timesNs[middle] <= timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static void put(ByteBuffer out, double least, double largest, double last, int count) {
        out.putFloat((float) least)
                .putFloat((float) largest)
                .putFloat((float) last)
                .putShort((short) Math.min(count, Short.MAX_VALUE));
    }
}
