package org.naklab.lab.tools.jitter;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.jvm.safepoint.Safepoint;
import org.naklab.lab.instruments.jvm.safepoint.SafepointLog;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.tools.jitter.JitterReport.Injected;
import org.naklab.lab.tools.jitter.JitterReport.Late;
import org.naklab.lab.tools.jitter.JitterReport.OperationCount;
import org.naklab.lab.tools.jitter.JitterReport.ReasonSum;
import org.naklab.lab.tools.jitter.reason.KernelTrace;
import org.naklab.lab.tools.jitter.reason.OutlierAccountant;
import org.naklab.lab.tools.jitter.reason.Part;
import org.naklab.lab.tools.jitter.reason.Reason;

/** Puts together what was measured and what kept the threads. */
final class JitterAnalysis {
    /** The clock of JFR is read in ticks and drifts against CLOCK_MONOTONIC; pauses are {@code 23 ms} apart. */
    private static final long CLOCK_ERROR_NS = 2_000_000;

    private final MeterSettings settings;
    private final JitterRun.Subject subject;
    private final MeterReport report;
    private final SafepointLog log;
    private final OutlierAccountant accountant;
    private final List<Late> outliers;
    private final long epochOffsetNs;
    private final Interval measured;

    JitterAnalysis(
            MeterSettings settings,
            JitterRun.Subject subject,
            MeterReport report,
            SafepointLog log,
            KernelTrace trace) {
        this.settings = settings;
        this.subject = subject;
        this.report = report;
        this.log = log;
        epochOffsetNs = MonotonicConverter.ofSystem().epochOffsetNs();
        measured = new Interval(
                report.measuredFromNs(),
                report.measuredFromNs() + settings.times().durationNs());
        accountant = new OutlierAccountant(log, trace);
        outliers = report.outliers().stream().map(this::explained).toList();
    }

    private Late explained(Outlier outlier) {
        String thread = outlier.isOfProducer() ? LatencyMeter.PRODUCER : LatencyMeter.CONSUMER;
        List<Part> parts = Part.sum(
                accountant.account(LatencyMeter.PRODUCER, outlier.unsent()),
                accountant.account(LatencyMeter.CONSUMER, outlier.unread()));
        Part main = OutlierAccountant.main(parts);
        return new Late(
                new Late.When(outlier.dueNs(), utc(outlier.dueNs())),
                new Late.Delay(
                        outlier.latencyNs() / Units.NS_PER_US,
                        outlier.messages(),
                        Math.floorMod(outlier.beginNs() + epochOffsetNs, Units.SECOND_NS) / Units.NS_PER_MS),
                thread,
                new Late.Reasoned(main.reason(), main.detail(), parts));
    }

    private Instant instant(long timeNs) {
        long epochNs = timeNs + epochOffsetNs;
        return Instant.ofEpochSecond(epochNs / Units.SECOND_NS, epochNs % Units.SECOND_NS);
    }

    private String utc(long timeNs) {
        return instant(timeNs).truncatedTo(ChronoUnit.MICROS).toString();
    }

    private long seconds(Predicate<Late> wanted) {
        return outliers.stream()
                .filter(wanted)
                .map(late -> (late.when().atNs() - measured.beginNs()) / Units.SECOND_NS)
                .distinct()
                .count();
    }

    /**
     * Returns the report.
     *
     * @param injected pauses by the log of the injector
     * @param recorded by JFR
     * @param stolenShare of the CPU that lost most, 0 to 1
     * @param worstTrace null: none
     */
    JitterReport report(
            List<Interval> injected,
            RecordedSafepoints recorded,
            double stolenShare,
            List<String> lookedAt,
            List<String> notLookedAt,
            JitterReport.@Nullable WorstTrace worstTrace) {
        Histogram histogram = JitterRun.histogram(report.histogram());
        List<OperationCount> counts = recorded.counts(instant(measured.beginNs()), instant(measured.endNs()));
        return new JitterReport(
                new JitterReport.Run(
                        utc(report.measuredFromNs()),
                        report.java(),
                        subject.flags(),
                        settings.times().durationNs() / Units.NS_PER_S,
                        settings.times().warmUpNs() / Units.NS_PER_S),
                new JitterReport.Threads(
                        settings.times().paceNs() / Units.NS_PER_US,
                        settings.threads().producerCpu(),
                        settings.threads().consumerCpu(),
                        settings.threads().yields() ? "yield" : "spin"),
                new JitterReport.Measured(
                        histogram.getTotalCount(), report.allocatedBytes(), JitterReport.Latency.of(histogram)),
                new JitterReport.Outlying(
                        settings.times().thresholdNs() / Units.NS_PER_US,
                        outliers.size(),
                        report.notKept(),
                        outliers.stream().filter(JitterAnalysis::hasReason).count(),
                        reasons(),
                        outliers.stream()
                                .sorted(Comparator.comparingDouble((JitterReport.Late each) ->
                                                each.delay().us())
                                        .reversed())
                                .limit(subject.worst())
                                .toList(),
                        phase()),
                new JitterReport.Pauses(
                        safepoints(),
                        counts,
                        RecordedSafepoints.periodic(counts),
                        seconds(late -> true),
                        seconds(late -> late.reason().reason() == Reason.SAFEPOINT
                                || late.reason().reason() == Reason.GC)),
                new JitterReport.Circumstances(
                        lookedAt, notLookedAt, found(injected, recorded), stolenShare, worstTrace),
                histogram);
    }

    private List<ReasonSum> reasons() {
        Map<Reason, List<Late>> byReason = new EnumMap<>(Reason.class);
        outliers.forEach(late -> byReason.computeIfAbsent(late.reason().reason(), each -> new ArrayList<>())
                .add(late));
        List<ReasonSum> sums = new ArrayList<>();
        byReason.forEach((reason, lates) -> {
            Late longest = lates.stream()
                    .max(Comparator.comparingDouble(
                            (JitterReport.Late each) -> each.delay().us()))
                    .orElseThrow();
            sums.add(new ReasonSum(
                    reason,
                    lates.size(),
                    lates.stream()
                            .mapToDouble(
                                    (JitterReport.Late each) -> each.delay().us())
                            .sum(),
                    longest.delay().us(),
                    longest.reason().detail()));
        });
        sums.sort(Comparator.comparingDouble(ReasonSum::totalUs).reversed());
        return sums;
    }

    private List<Long> phase() {
        long[] bins = new long[SafepointTable.PHASES];
        outliers.forEach(late -> bins[(int) (late.delay().phaseMs() * SafepointTable.PHASES / 1_000)]++);
        return Arrays.stream(bins).boxed().toList();
    }

    private List<SafepointTable.Row> safepoints() {
        SafepointTable table = new SafepointTable();
        for (Safepoint safepoint : log.safepoints()) {
            if (measured.contains(safepoint.beginNs())) {
                table.add(
                        safepoint.operation(),
                        safepoint.lengthNs(),
                        safepoint.toSafepointNs(),
                        safepoint.beginNs() + epochOffsetNs);
            }
        }
        return table.rows();
    }

    /**
     * Returns the pauses that were in force. The injector knows when it asked for a safepoint and when it had the answer, and not whether the threads stood meanwhile: the thread
     * that asks may itself have no CPU, and the thread that was to be late comes in time. JFR tells that. The reasons of the outliers are from other sources: the JVM's log
     * and the kernel's record.
     */
    private List<Interval> made(List<Interval> injected, RecordedSafepoints recorded) {
        if (subject.injection().kind() != Injection.Kind.SAFEPOINT) {
            return injected;
        }
        long leastNs = subject.injection().lengthNs() / 2;
        return injected.stream()
                .filter(request -> recorded
                        .lengthsNs(
                                Laggard.OPERATION,
                                instant(request.beginNs() - CLOCK_ERROR_NS),
                                instant(request.endNs() + CLOCK_ERROR_NS))
                        .stream()
                        .anyMatch(lengthNs -> lengthNs >= leastNs))
                .toList();
    }

    private static boolean hasReason(Late late) {
        return late.reason().reason() != Reason.UNEXPLAINED;
    }

    /** A pause at the very beginning or end may lie outside of what was measured. */
    private @Nullable Injected found(List<Interval> injected, RecordedSafepoints recorded) {
        Injection injection = subject.injection();
        if (injection.kind() == Injection.Kind.NONE) {
            return null;
        }
        List<Interval> within = made(injected, recorded).stream()
                .filter(pause -> measured.contains(pause.beginNs()) && measured.contains(pause.endNs()))
                .toList();
        int found = 0;
        int attributed = 0;
        int named = 0;
        for (Interval pause : within) {
            Optional<Late> longest = IntStream.range(0, outliers.size())
                    .filter(i -> report.outliers().get(i).interval().overlaps(pause))
                    .mapToObj(outliers::get)
                    .max(Comparator.comparingDouble(
                            (JitterReport.Late each) -> each.delay().us()));
            found += longest.isPresent() ? 1 : 0;
            attributed += longest.filter(JitterAnalysis::hasReason).isPresent() ? 1 : 0;
            named += longest.isPresent()
                            && accountant.account(LatencyMeter.CONSUMER, pause).stream()
                                    .anyMatch(injection::makes)
                    ? 1
                    : 0;
        }
        long besides = IntStream.range(0, outliers.size())
                .filter(i -> !hasReason(outliers.get(i)))
                .mapToObj(i -> report.outliers().get(i).interval())
                .filter(time -> within.stream().noneMatch(time::overlaps))
                .count();
        return new Injected(
                injection.kind().label(),
                injection.lengthNs() / Units.NS_PER_US,
                within.size(),
                found,
                attributed,
                named,
                besides);
    }
}
