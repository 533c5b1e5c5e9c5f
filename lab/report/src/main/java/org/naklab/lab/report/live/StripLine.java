package org.naklab.lab.report.live;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.naklab.lab.core.Units;
import org.naklab.lab.report.SampleSeries;

/**
 * One line of a strip: its samples by time, and how a column of pixels shows what lies in it. A line that grows keeps the latest samples. Safe for several threads.
 */
final class StripLine {
    /** Bytes of a column of a line: least, largest and last value as 32-bit floats, and the number of samples. */
    static final int COLUMN_BYTES = 14;

    /** Samples that a line that grows keeps: of one that changes at 1 kHz, two minutes. Even, so that the begin and the end of a silence go together. */
    static final int MAX_KEPT = 1 << 17;

    private static final int FIRST_CAPACITY = 1 << 8;

    /** Tells what happens between two samples. */
    enum Kind {
        /** A value holds until the next one; one that is no number says that there is none until then. */
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
    private final String stage;
    /** A ring once it has its largest size: sample N is at N modulo the size. */
    private long[] timesNs;

    private double[] values;
    /** Number of the sample after the newest. */
    private long end;

    private StripLine(String name, String role, Kind kind, String stage, long[] timesNs, double[] values, int size) {
        this.stage = stage;
        this.name = name;
        this.role = role;
        this.kind = kind;
        this.timesNs = timesNs;
        this.values = values;
        end = size;
    }

    /** Begins a line that grows. */
    static StripLine growing(String name, String role, Kind kind) {
        return growing(name, role, kind, "");
    }

    /** Begins a line that grows, of a stage on the way of an event. */
    static StripLine growing(String name, String role, Kind kind, String stage) {
        return new StripLine(name, role, kind, stage, new long[FIRST_CAPACITY], new double[FIRST_CAPACITY], 0);
    }

    /** Takes a series as it is, divided by a number. */
    static StripLine level(String name, String role, Kind kind, SampleSeries series, double divisor) {
        double[] values = new double[series.size()];
        Arrays.setAll(values, i -> series.value(i) / divisor);
        return of(name, role, kind, times(series), values);
    }

    /** Takes the growth of a counter. */
    static StripLine growth(String name, String role, SampleSeries counter) {
        double[] values = new double[counter.size()];
        Arrays.setAll(values, i -> i == 0 ? 0 : Math.max(0, counter.value(i) - counter.value(i - 1)));
        return of(name, role, Kind.TICKS, times(counter), values);
    }

    /** Takes a series of which each sample is written at the end of a silence and is its length, ns. */
    static StripLine silences(String name, String role, SampleSeries gaps) {
        long[] times = new long[2 * gaps.size()];
        for (int i = 0; i < gaps.size(); i++) {
            long before = i == 0 ? Long.MIN_VALUE : times[2 * i - 1];
            times[2 * i] = Math.max(before, gaps.timeNs(i) - gaps.value(i));
            times[2 * i + 1] = Math.max(times[2 * i], gaps.timeNs(i));
        }
        return of(name, role, Kind.SILENCE, times, new double[times.length]);
    }

    /** Takes values at their times, which do not decrease. */
    static StripLine of(String name, String role, Kind kind, long[] timesNs, double[] values) {
        return new StripLine(name, role, kind, "", timesNs.clone(), values.clone(), timesNs.length);
    }

    /** Returns the same samples as those of a stage on the way of an event. */
    StripLine ofStage(String ofStage) {
        return new StripLine(name, role, kind, ofStage, timesNs, values, (int) end);
    }

    /** Takes the growth of several counters of one thing. */
    static StripLine growth(String name, String role, List<SampleSeries> counters, double divisor) {
        TreeMap<Long, Double> grown = new TreeMap<>();
        for (SampleSeries counter : counters) {
            for (int i = 1; i < counter.size(); i++) {
                grown.merge(
                        counter.timeNs(i), Math.max(0, counter.value(i) - counter.value(i - 1)) / divisor, Double::sum);
            }
        }
        return of(
                name,
                role,
                Kind.TICKS,
                grown.keySet().stream().mapToLong(Long::longValue).toArray(),
                grown.values().stream().mapToDouble(Double::doubleValue).toArray());
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

    /** Returns the stage on the way of an event of which this tells; empty: none. */
    String stage() {
        return stage;
    }

    /** Returns whether no sample differs from zero. */
    synchronized boolean isEmpty() {
        return kind == Kind.SILENCE ? end == 0 : Arrays.stream(values).allMatch(value -> value == 0);
    }

    /** Adds a sample to a line that grows. One that is earlier than the newest counts as of the same time. */
    synchronized void add(long timeNs, double value) {
        if (end == timesNs.length && end < MAX_KEPT) {
            timesNs = Arrays.copyOf(timesNs, 2 * timesNs.length);
            values = Arrays.copyOf(values, 2 * values.length);
        }
        timesNs[at(end)] = end == 0 ? timeNs : Math.max(timeNs, timesNs[at(end - 1)]);
        values[at(end)] = value;
        end++;
    }

    /** Begins a silence that lasts; does nothing while one lasts already. */
    synchronized void beginSilence(long beginNs) {
        if (!isSilent()) {
            add(beginNs, 0);
            add(Long.MAX_VALUE, 0);
        }
    }

    /** Adds a silence that is over. It ends the one that lasts, if there is one; what is known of that time already is not added again. */
    synchronized void endSilence(long beginNs, long endNs) {
        if (!isSilent()) {
            if (endNs > beginNs && (end == 0 || endNs > timesNs[at(end - 1)])) {
                add(beginNs, 0);
                add(endNs, 0);
            }
        } else if (endNs > timesNs[at(end - 2)]) {
            timesNs[at(end - 1)] = endNs;
        }
    }

    /** Takes a silence as an instrument has measured it, in place of what was noticed of that time. */
    synchronized void reportSilence(long beginNs, long endNs) {
        boolean isPlaced = false;
        for (long i = end - 2; i >= oldest() && timesNs[at(i + 1)] > beginNs; i -= 2) {
            if (timesNs[at(i)] < endNs) {
                timesNs[at(i)] = isPlaced ? Math.min(timesNs[at(i)], beginNs) : beginNs;
                timesNs[at(i + 1)] = isPlaced ? beginNs : endNs;
                isPlaced = true;
            }
        }
        if (!isPlaced) {
            endSilence(beginNs, endNs);
        }
    }

    /** Takes back silences that have ended in a span of time: nobody has measured them. */
    synchronized void forgetSilence(long beginNs, long endNs) {
        for (long i = end - 2; i >= oldest() && timesNs[at(i + 1)] > beginNs; i -= 2) {
            if (timesNs[at(i)] >= beginNs && timesNs[at(i + 1)] <= endNs) {
                timesNs[at(i + 1)] = timesNs[at(i)];
            }
        }
    }

    private boolean isSilent() {
        return end > 0 && timesNs[at(end - 1)] == Long.MAX_VALUE;
    }

    private int at(long number) {
        return (int) (number % timesNs.length);
    }

    private long oldest() {
        return Math.max(0, end - timesNs.length);
    }

    /**
     * Appends the column of a span of time.
     *
     * @param untilNs the end of the span, or the present if that is earlier: what comes later is not told
     */
    synchronized void append(ByteBuffer out, long fromNs, long untilNs) {
        switch (kind) {
            case LEVEL, LIMIT -> level(out, fromNs, untilNs);
            case TICKS -> sum(out, fromNs, untilNs);
            case SILENCE -> silence(out, fromNs, untilNs);
        }
    }

    private void level(ByteBuffer out, long fromNs, long untilNs) {
        long next = after(fromNs);
        double least = next > oldest() ? values[at(next - 1)] : Double.NaN;
        double largest = least;
        double last = least;
        int count = 0;
        for (long i = next; i < end && timesNs[at(i)] < untilNs; i++) {
            last = values[at(i)];
            if (!Double.isNaN(last)) {
                least = Double.isNaN(least) ? last : Math.min(least, last);
                largest = Double.isNaN(largest) ? last : Math.max(largest, last);
            }
            count++;
        }
        put(out, least, largest, last, count);
    }

    private void sum(ByteBuffer out, long fromNs, long untilNs) {
        double sum = 0;
        int count = 0;
        for (long i = after(fromNs); i < end && timesNs[at(i)] < untilNs; i++) {
            sum += values[at(i)];
            count++;
        }
        put(out, 0, sum, sum, count);
    }

    private void silence(ByteBuffer out, long fromNs, long untilNs) {
        double longest = 0;
        double last = 0;
        int count = 0;
        // The pair that holds the begin of the span, or the first after it.
        for (long i = after(fromNs) & ~1L; i + 1 < end && timesNs[at(i)] < untilNs; i += 2) {
            long beginNs = timesNs[at(i)];
            long endNs = timesNs[at(i + 1)];
            double lasted = (Math.min(untilNs, endNs) - beginNs) / Units.NS_PER_MS;
            longest = Math.max(longest, lasted);
            last = endNs >= untilNs ? lasted : 0;
            count++;
        }
        put(out, 0, longest, last, count);
    }

    /** Returns the number of the first sample after a time. */
    private long after(long timeNs) {
        long low = oldest();
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (timesNs[at(middle)] <= timeNs) {
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
