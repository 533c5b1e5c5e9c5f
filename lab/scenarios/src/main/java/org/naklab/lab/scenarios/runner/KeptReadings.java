package org.naklab.lab.scenarios.runner;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.diagnosis.readings.Reading;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.Series;

/**
 * Keeps the readings that a diagnosis needs over time: stream positions, the depth of the ring, callbacks. Of a long run, the latest. Written by the
 * instruments' background thread.
 */
final class KeptReadings implements SampleConsumer {
    /** Of each series: some minutes. */
    private static final int MAX_READINGS = 30_000;
    /** While a gap is open, positions are read once a millisecond. */
    private static final long LEAST_DISTANCE_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final String POSITION = "highestPositionBytes";
    private static final Set<String> KEPT = Set.of(POSITION, "ringDepthSlots", "callbackNs");

    /** They show that an instrument looked; most never change after the warm-up. */
    private static final Set<String> PRESENT = Set.of("longestLatenessNs", "longestGapNs", "longestCallbackNs");

    private final Map<Series, Deque<Reading>> kept = new HashMap<>();
    private volatile long fromNs = Long.MAX_VALUE;

    /** Readings before that time are the processes' warming up. */
    void countFrom(long timeNs) {
        fromNs = timeNs;
    }

    @Override
    public synchronized void onSample(long timeNs, Series series, long value) {
        String quantity = series.name().quantity();
        if (PRESENT.contains(quantity)) {
            kept.computeIfAbsent(series, key -> new ArrayDeque<>());
            return;
        }
        if (fromNs == Long.MAX_VALUE || timeNs - fromNs < 0 || !KEPT.contains(quantity)) {
            return;
        }
        Deque<Reading> readings = kept.computeIfAbsent(series, key -> new ArrayDeque<>());
        Reading last = readings.peekLast();
        if (last != null && quantity.equals(POSITION) && timeNs - last.timeNs() < LEAST_DISTANCE_NS) {
            return;
        }
        if (readings.size() == MAX_READINGS) {
            readings.removeFirst();
        }
        readings.addLast(new Reading(timeNs, value));
    }

    /** Returns the readings by the name of their series, each by time. */
    synchronized Map<SeriesName, List<Reading>> values() {
        Map<SeriesName, List<Reading>> values = new HashMap<>();
        kept.forEach((series, readings) -> values.put(series.name(), List.copyOf(readings)));
        return values;
    }

    @Override
    public void close() {}
}
