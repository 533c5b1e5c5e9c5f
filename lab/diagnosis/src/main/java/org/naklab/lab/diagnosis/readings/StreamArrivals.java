package org.naklab.lab.diagnosis.readings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.timeline.Interval;

/**
 * How fast the bytes of each stream came in, by topic and session. Several receivers of a stream have a series each: the fastest tells, because a
 * receiver that stands still receives nothing.
 */
public final class StreamArrivals {
    private static final Pattern NAME =
            Pattern.compile("aeron\\.(.+)\\.stream(-?\\d+)\\.session(-?\\d+)\\.highestPositionBytes");

    /** Rates of shorter times depend on when the sampler read. */
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final double NS_PER_S = 1e9;

    /** By stream, then by receiver. */
    private final Map<String, Map<String, List<Reading>>> series = new TreeMap<>();

    /**
     * The arrivals of one stream.
     *
     * @param name the stream's id and its session
     * @param peakPerSecond the largest rate in 10 ms of a span, bytes per second
     * @param otherwisePerSecond the largest rate in 10 ms at other times, bytes per second; 0 without such a time
     */
    public record Stream(String name, long peakPerSecond, long otherwisePerSecond) {}

    /** @param readings by the name of the series, each by time */
    public StreamArrivals(Map<String, List<Reading>> readings) {
        readings.forEach((name, its) -> {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                String stream = "stream " + matcher.group(2) + " session " + matcher.group(3);
                series.computeIfAbsent(stream, key -> new TreeMap<>()).put(matcher.group(1), its);
            }
        });
    }

    /**
     * Returns the streams of a receiver of which something came in a span; all streams, if it is not known what the receiver receives.
     *
     * @param unusual times that tell nothing about the rates that the receiver stands
     */
    public List<Stream> in(String receiver, Interval span, Collection<Interval> unusual) {
        boolean isKnown = series.values().stream().anyMatch(its -> its.containsKey(receiver));
        List<Interval> all = new ArrayList<>(unusual);
        all.add(span);
        List<Interval> left =
                Interval.union(all.stream().filter(each -> each.lengthNs() > 0).toList());
        List<Stream> streams = new ArrayList<>();
        series.forEach((name, its) -> {
            if (isKnown && !its.containsKey(receiver)) {
                return;
            }
            long peak = -1;
            long otherwise = 0;
            for (List<Reading> readings : its.values()) {
                for (Window window : windows(readings)) {
                    if (window.interval().overlaps(span)) {
                        peak = Math.max(peak, window.perSecond());
                    } else if (!isIn(left, window.interval())) {
                        otherwise = Math.max(otherwise, window.perSecond());
                    }
                }
            }
            if (peak >= 0) {
                streams.add(new Stream(name, peak, otherwise));
            }
        });
        return streams;
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

    private record Window(Interval interval, long perSecond) {}

    /** A series has only the readings that differ from the one before: after a longer time without any, the bytes came in just before the reading. */
    private static List<Window> windows(List<Reading> readings) {
        List<Window> windows = new ArrayList<>();
        int begin = 0;
        for (int i = 1; i < readings.size(); i++) {
            long nowNs = readings.get(i).timeNs();
            if (nowNs - readings.get(begin).timeNs() >= WINDOW_NS) {
                long bytes = Math.max(
                        0, readings.get(i).value() - readings.get(begin).value());
                boolean isAfterSilence = nowNs - readings.get(i - 1).timeNs() > 2 * WINDOW_NS;
                long beginNs = isAfterSilence
                        ? nowNs - 2 * WINDOW_NS
                        : readings.get(begin).timeNs();
                windows.add(new Window(new Interval(beginNs, nowNs), Math.round(bytes * NS_PER_S / (nowNs - beginNs))));
                begin = i;
            }
        }
        return windows;
    }
}
