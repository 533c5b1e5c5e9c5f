package org.naklab.lab.diagnosis.readings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;

/**
 * Tells how fast the bytes of each stream came in, by topic and session. The receivers of a stream count positions of the same stream: the receiver that
 * is furthest tells what had come in, because one that stands still receives nothing, and catches up at once when it goes on.
 */
public final class StreamArrivals {
    private static final Pattern STREAM = Pattern.compile("stream(-?\\d+)\\.session(-?\\d+)");

    /** Rates of shorter times depend on when the sampler read. */
    private static final long LEAST_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** After more windows without a new position nothing came in for a time, rather than that the sampler was late. */
    private static final int SILENT_WINDOWS = 3;

    private final Map<String, SortedMap<Long, Long>> positions = new TreeMap<>();
    private final Map<String, Set<String>> receivers = new TreeMap<>();

    /**
     * The arrivals of one stream.
     *
     * @param name the stream's id and its session
     * @param windowNs over which rates are measured, in the span and at other times alike: as often as the stream was read at other times
     * @param peakPerSecond the largest rate of a span, bytes per second
     * @param otherwisePerSecond the largest rate at other times, bytes per second; 0 without such a time
     */
    public record Arrivals(String name, long windowNs, long peakPerSecond, long otherwisePerSecond) {}

    /** @param readings by the name of the series, each by time */
    public StreamArrivals(Map<SeriesName, List<Reading>> readings) {
        readings.forEach((name, its) -> {
            Matcher matcher = STREAM.matcher(name.subject());
            if (name.is(SeriesSource.AERON, "highestPositionBytes") && matcher.matches()) {
                String stream = "stream " + matcher.group(1) + " session " + matcher.group(2);
                receivers.computeIfAbsent(stream, key -> new HashSet<>()).add(name.process());
                SortedMap<Long, Long> known = positions.computeIfAbsent(stream, key -> new TreeMap<>());
                its.forEach(reading -> known.merge(reading.timeNs(), reading.value(), Math::max));
            }
        });
    }

    /**
     * Returns the streams of a receiver of which something came in during a span; all streams, if it is not known what the receiver receives.
     *
     * @param unusual times that tell nothing about the rates that the receiver stands
     */
    public List<Arrivals> in(String receiver, Interval span, Collection<Interval> unusual) {
        boolean isKnown = receivers.values().stream().anyMatch(its -> its.contains(receiver));
        List<Interval> left = Interval.union(Stream.concat(unusual.stream(), Stream.of(span))
                .filter(each -> each.lengthNs() > 0)
                .toList());
        List<Arrivals> streams = new ArrayList<>();
        positions.forEach((name, its) -> {
            if (!isKnown || receivers.getOrDefault(name, Set.of()).contains(receiver)) {
                arrivals(name, furthest(its), span, left).ifPresent(streams::add);
            }
        });
        return streams;
    }

    private static Optional<Arrivals> arrivals(
            String name, List<Reading> readings, Interval span, List<Interval> left) {
        long windowNs = usualSpacingNs(readings, left);
        long peak = -1;
        long otherwise = 0;
        int begin = 0;
        for (int i = 1; i < readings.size(); i++) {
            Reading last = readings.get(i);
            while (last.timeNs() - readings.get(begin + 1).timeNs() >= windowNs) {
                begin++;
            }
            boolean isAfterSilence = last.timeNs() - readings.get(i - 1).timeNs() > SILENT_WINDOWS * windowNs;
            long beginNs = isAfterSilence
                    ? last.timeNs() - windowNs
                    : Math.min(readings.get(begin).timeNs(), last.timeNs() - windowNs);
            Interval window = new Interval(beginNs, last.timeNs());
            long perSecond =
                    Math.round((last.value() - readings.get(begin).value()) * Units.NS_PER_S / window.lengthNs());
            if (window.overlaps(span)) {
                peak = Math.max(peak, perSecond);
            } else if (!isIn(left, window)) {
                otherwise = Math.max(otherwise, perSecond);
            }
        }
        return peak < 0 ? Optional.empty() : Optional.of(new Arrivals(name, windowNs, peak, otherwise));
    }

    /** Returns the readings at which more had come in than at any before. */
    private static List<Reading> furthest(SortedMap<Long, Long> positions) {
        List<Reading> rising = new ArrayList<>();
        positions.forEach((timeNs, position) -> {
            if (rising.isEmpty() || position > rising.get(rising.size() - 1).value()) {
                rising.add(new Reading(timeNs, position));
            }
        });
        return rising;
    }

    /** Returns how far apart the readings are for at least half of the time, but for the times that are left out; the least window if there are none. */
    private static long usualSpacingNs(List<Reading> readings, List<Interval> left) {
        List<Long> spacings = new ArrayList<>();
        for (int i = 1; i < readings.size(); i++) {
            Interval between =
                    new Interval(readings.get(i - 1).timeNs(), readings.get(i).timeNs());
            if (!isIn(left, between)) {
                spacings.add(between.lengthNs());
            }
        }
        Collections.sort(spacings);
        long half = spacings.stream().mapToLong(Long::longValue).sum() / 2;
        for (long spacingNs : spacings) {
            half -= spacingNs;
            if (half <= 0) {
                return Math.max(spacingNs, LEAST_WINDOW_NS);
            }
        }
        return LEAST_WINDOW_NS;
    }

    /** @param union by time, none overlaps or touches another one */
    private static boolean isIn(List<Interval> union, Interval window) {
        int from = 0;
        int to = union.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (union.get(middle).endNs() <= window.beginNs()) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from < union.size() && union.get(from).overlaps(window);
    }
}
