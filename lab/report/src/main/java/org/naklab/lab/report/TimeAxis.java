package org.naklab.lab.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.records.RunRecord;

/**
 * The time axis that all charts share. Its origin is a whole second of the wall clock, so that whole numbers on it are second
 * boundaries; of a run that kept no wall clock it is the first reading.
 *
 * @param originNs CLOCK_MONOTONIC
 * @param epochOffsetNs what makes nanoseconds since 1970 of a time; {@code null}: not known
 */
record TimeAxis(
        long originNs, long fromNs, long toNs, @Nullable Long epochOffsetNs) {
    private static final long MARGIN_NS = 300_000_000;
    private static final Set<SeriesSource> READ_AT_EVERY_TICK = EnumSet.of(
            SeriesSource.SOCKET, SeriesSource.THREAD, SeriesSource.MEMORY, SeriesSource.CGROUP, SeriesSource.AERON);

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter PRECISE =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    static TimeAxis of(RunFiles files) {
        long[] all = samplings(files);
        if (all.length == 0) {
            all = files.events().stream()
                    .flatMapToLong(event -> LongStream.of(event.timeNs(), event.endNs()))
                    .sorted()
                    .toArray();
        }
        long firstNs = all.length == 0 ? startedNs(files.run()) : all[0];
        long lastNs =
                all.length == 0 ? firstNs + Units.SECOND_NS : Math.max(all[all.length - 1], firstNs + Units.SECOND_NS);
        Interval seen = new Interval(firstNs, lastNs);
        Interval shown = Traffic.of(files).map(traffic -> around(traffic, seen)).orElse(seen);
        long fromNs = shown.beginNs();
        long toNs = shown.endNs();
        Long epochOffsetNs = files.run().course().epochOffsetNs();
        return epochOffsetNs == null
                ? new TimeAxis(fromNs, fromNs, toNs, null)
                : wallClock(fromNs, toNs, epochOffsetNs);
    }

    /** Returns the start of a run of which nothing was seen; 0 if it kept no wall clock. */
    private static long startedNs(RunRecord run) {
        String startedUtc = run.course().startedUtc();
        Long epochOffsetNs = run.course().epochOffsetNs();
        if (startedUtc == null || epochOffsetNs == null) {
            return 0;
        }
        try {
            Instant started = Instant.parse(startedUtc);
            return started.getEpochSecond() * Units.SECOND_NS + started.getNano() - epochOffsetNs;
        } catch (DateTimeParseException e) {
            return 0; // damaged: the axis is that of a run without a wall clock
        }
    }

    /** Returns the time of the traffic with a margin; what the instruments saw before and after it is of no interest. */
    private static Interval around(Interval traffic, Interval seen) {
        long fromNs = Math.max(seen.beginNs(), traffic.beginNs() - MARGIN_NS);
        long toNs = Math.min(seen.endNs(), traffic.endNs() + MARGIN_NS);
        return toNs - fromNs < Units.SECOND_NS ? seen : new Interval(fromNs, toNs);
    }

    /** First and last sample of each series that is read at every tick: what is read out of a log may begin long before. */
    private static long[] samplings(RunFiles files) {
        return files.samples().bySeries().entrySet().stream()
                .filter(series -> READ_AT_EVERY_TICK.contains(series.getKey().source()))
                .map(Map.Entry::getValue)
                .flatMapToLong(series -> LongStream.of(series.timeNs(0), series.timeNs(series.size() - 1)))
                .sorted()
                .toArray();
    }

    private static TimeAxis wallClock(long fromNs, long toNs, long epochOffsetNs) {
        long intoSecondNs = Math.floorMod(fromNs + epochOffsetNs, Units.SECOND_NS);
        return new TimeAxis(fromNs - intoSecondNs, fromNs, toNs, epochOffsetNs);
    }

    long microseconds(long timeNs) {
        return (timeNs - originNs) / Units.US_NS;
    }

    boolean hasSeconds() {
        return epochOffsetNs != null;
    }

    /** Returns the label of the axis. */
    String label() {
        return epochOffsetNs == null
                ? "seconds after the first reading"
                : "seconds after " + CLOCK.format(instant(originNs)) + " UTC";
    }

    /** A time as people read it: of the wall clock, or on the axis. */
    String clock(long timeNs) {
        return epochOffsetNs == null
                ? String.format(Locale.ROOT, "%.6f s", (double) (timeNs - originNs) / Units.SECOND_NS)
                : PRECISE.format(instant(timeNs));
    }

    /** Since the last second boundary, in ms; {@code null} where that is not known. */
    @Nullable
    Double phaseMs(long timeNs) {
        return epochOffsetNs == null ? null : Math.floorMod(timeNs + epochOffsetNs, Units.SECOND_NS) / Units.NS_PER_MS;
    }

    private Instant instant(long timeNs) {
        long epochNs = timeNs + (epochOffsetNs == null ? 0 : epochOffsetNs);
        return Instant.ofEpochSecond(Math.floorDiv(epochNs, Units.SECOND_NS), Math.floorMod(epochNs, Units.SECOND_NS));
    }
}
