package org.naklab.lab.report;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.Stall;

/** Tells when traffic flowed in a run, and which part of it was warm-up. */
final class Traffic {
    private Traffic() {}

    /** Returns the time from the first to the last datagram of the exchange, as far as its samples tell; empty if they do not. */
    static Optional<Interval> of(RunFiles files) {
        Interval counted = files.run().course().counted();
        long[] moves = moves(files);
        if (moves.length == 0) {
            return Optional.empty();
        }
        long endNs = counted == null ? moves[moves.length - 1] : counted.endNs();
        long repairedNs = files.events(TimelineEventType.REPAIRED).stream()
                .mapToLong(event -> event.timeNs())
                .max()
                .orElse(endNs);
        long beginNs = moves[0];
        return beginNs < endNs ? Optional.of(new Interval(beginNs, Math.max(endNs, repairedNs))) : Optional.empty();
    }

    /** Returns the time of the warm-up, whose stalls and drops do not count; empty if the run's record does not tell. */
    static Optional<Interval> warmUp(RunFiles files, TimeAxis axis) {
        Interval counted = files.run().course().counted();
        long endNs = counted == null ? firstCountedNs(files) : counted.beginNs();
        return endNs > axis.fromNs()
                ? Optional.of(new Interval(axis.fromNs(), Math.min(endNs, axis.toNs())))
                : Optional.empty();
    }

    /** Of a run of an earlier version: it was over before the first stall that was counted, and after the last one that was not. */
    private static long firstCountedNs(RunFiles files) {
        List<Long> counted = files.document().stalls().stream().map(Stall::atNs).toList();
        long firstNs = counted.stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        return files.events(TimelineEventType.STALL).stream()
                .filter(event -> !counted.contains(event.timeNs()))
                .filter(event -> !event.process().equals(ProcessNames.EXCHANGE))
                .filter(event -> event.endNs() < firstNs)
                .filter(event -> firstNs != Long.MAX_VALUE)
                .mapToLong(event -> event.endNs())
                .max()
                .orElse(0);
    }

    /** Returns the times at which the exchange was seen to send, sorted. */
    private static long[] moves(RunFiles files) {
        return files.samples().bySeries().entrySet().stream()
                .filter(series -> isSent(series.getKey()))
                .flatMapToLong(series -> changes(series.getValue()))
                .sorted()
                .toArray();
    }

    private static boolean isSent(SeriesName name) {
        return name.process().equals(ProcessNames.EXCHANGE)
                && (name.is(SeriesSource.RATE, "sentBytesPerSecond")
                        || name.is(SeriesSource.AERON, "sentPositionBytes"));
    }

    private static LongStream changes(SampleSeries series) {
        LongStream.Builder times = LongStream.builder();
        for (int i = 0; i < series.size(); i++) {
            boolean isSent = i > 0 && series.value(i) != series.value(i - 1);
            if (isSent) {
                times.add(series.timeNs(i));
            }
        }
        return times.build();
    }
}
