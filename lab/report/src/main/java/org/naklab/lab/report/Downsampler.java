package org.naklab.lab.report;

import java.util.List;

/**
 * Makes fewer samples of many and loses no extreme: time is cut into buckets, and of each bucket its first, lowest, highest and last
 * sample stay. Within a focus every sample stays.
 */
final class Downsampler {
    private final long fromNs;
    private final long bucketNs;
    private final List<Focus> foci;

    /** A stretch of time that matters, both ends included. */
    record Focus(long fromNs, long toNs) {
        boolean contains(long timeNs) {
            return timeNs >= fromNs && timeNs <= toNs;
        }
    }

    private Downsampler(long fromNs, long bucketNs, List<Focus> foci) {
        this.fromNs = fromNs;
        this.bucketNs = bucketNs;
        this.foci = List.copyOf(foci);
    }

    static Downsampler between(long fromNs, long toNs, int buckets) {
        return new Downsampler(fromNs, Math.max(1, (toNs - fromNs) / buckets), List.of());
    }

    Downsampler except(List<Focus> kept) {
        return new Downsampler(fromNs, bucketNs, kept);
    }

    SampleSeries apply(SampleSeries series) {
        SampleSeries thin = new SampleSeries();
        int first = 0;
        while (first < series.size()) {
            if (isInFocus(series.timeNs(first))) {
                thin.add(series.timeNs(first), series.value(first));
                first++;
            } else {
                int end = endOfBucket(series, first);
                keep(series, first, end, thin);
                first = end;
            }
        }
        return thin;
    }

    private int endOfBucket(SampleSeries series, int first) {
        long bucket = bucketOf(series.timeNs(first));
        int end = first + 1;
        while (end < series.size() && bucketOf(series.timeNs(end)) == bucket && !isInFocus(series.timeNs(end))) {
            end++;
        }
        return end;
    }

    private static void keep(SampleSeries series, int first, int end, SampleSeries thin) {
        int lowest = first;
        int highest = first;
        for (int i = first; i < end; i++) {
            lowest = series.value(i) < series.value(lowest) ? i : lowest;
            highest = series.value(i) > series.value(highest) ? i : highest;
        }
        for (int i = first; i < end; i++) {
            if (i == first || i == lowest || i == highest || i == end - 1) {
                thin.add(series.timeNs(i), series.value(i));
            }
        }
    }

    private long bucketOf(long timeNs) {
        return (timeNs - fromNs) / bucketNs;
    }

    private boolean isInFocus(long timeNs) {
        for (Focus focus : foci) {
            if (focus.contains(timeNs)) {
                return true;
            }
        }
        return false;
    }
}
