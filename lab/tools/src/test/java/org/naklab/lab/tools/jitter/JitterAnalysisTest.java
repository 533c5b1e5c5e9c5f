package org.naklab.lab.tools.jitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.jvm.safepoint.SafepointLog;
import org.naklab.lab.instruments.kernel.Absence;
import org.naklab.lab.instruments.kernel.TaskId;
import org.naklab.lab.tools.jitter.reason.KernelTrace;
import org.naklab.lab.tools.jitter.reason.Part;
import org.naklab.lab.tools.jitter.reason.Reason;

/** Outliers, logs and records that are given; the measurement takes three seconds. The recording of JFR is a real one of this JVM. */
@Timeout(60)
final class JitterAnalysisTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    /** When the measurement began. */
    private static final long FROM = 5_000 * SECOND;

    private static final Injection STOP = new Injection(Injection.Kind.STOP, 100 * US);
    private static final int WORST = 2;

    @TempDir
    private static Path directory;

    private static RecordedSafepoints recorded;
    /** The request of a safepoint that is in the recording. */
    private static Interval asked;

    private static Instant before;
    private static Instant after;

    private final KernelTrace trace = new KernelTrace(List.of(LatencyMeter.PRODUCER, LatencyMeter.CONSUMER));

    @BeforeAll
    static void recordASafepoint() throws IOException {
        Path file = directory.resolve("safepoints.jfr");
        try (Recording recording = new Recording()) {
            for (String event : List.of("SafepointBegin", "SafepointEnd", "ExecuteVMOperation")) {
                recording.enable("jdk." + event).withoutThreshold();
            }
            recording.start();
            before = Instant.now();
            long beginNs = System.nanoTime();
            ManagementFactory.getThreadMXBean().findDeadlockedThreads();
            asked = new Interval(beginNs, System.nanoTime());
            after = Instant.now();
            recording.stop();
            recording.dump(file);
        }
        recorded = RecordedSafepoints.read(file);
    }

    @Test
    void shouldCountTheSafepointsThatBeganInATime() {
        assertThat(recorded.counts(before.minusSeconds(1), after.plusSeconds(1)))
                .contains(new JitterReport.OperationCount(Laggard.OPERATION, 1));
        assertThat(recorded.counts(after.plusSeconds(3600), after.plusSeconds(7200)))
                .isEmpty();
        assertThat(recorded.lengthsNs(Laggard.OPERATION, before.minusSeconds(1), after.plusSeconds(1)))
                .singleElement()
                .satisfies(lengthNs -> assertThat(lengthNs).isBetween(1L, asked.lengthNs() + 10 * MS));
        assertThat(recorded.lengthsNs("Cleanup-of-nobody", before.minusSeconds(1), after.plusSeconds(1)))
                .isEmpty();
        assertThat(recorded.lengthsNs(Laggard.OPERATION, after.plusSeconds(3600), after.plusSeconds(7200)))
                .isEmpty();
    }

    @Test
    void shouldCountWhatTheJvmDoesOfItsOwnAccord() {
        assertThat(RecordedSafepoints.periodic(List.of(
                        new JitterReport.OperationCount("", 3),
                        new JitterReport.OperationCount("Cleanup", 4),
                        new JitterReport.OperationCount(Laggard.OPERATION, 100))))
                .isEqualTo(7);
    }

    /** One message that was late: when it was due, how long it was not sent, and then not read. */
    private static Outlier outlier(long dueNs, long unsentNs, long unreadNs) {
        return new Outlier(dueNs, dueNs + unsentNs + unreadNs, dueNs, dueNs + unsentNs, dueNs + unsentNs + unreadNs, 1);
    }

    private static String safepoint(String operation, long beginNs, long lengthNs) {
        return "[" + (beginNs + lengthNs) + "ns][safepoint] Safepoint \"" + operation
                + "\", Time since last: 1 ns, Reaching safepoint: " + lengthNs / 10 + " ns, Total: " + lengthNs + " ns";
    }

    private void stopped(long beginNs, long endNs) {
        TaskId consumer = new TaskId(7, 8, LatencyMeter.CONSUMER);
        TaskId by = new TaskId(70, 70, "java");
        trace.onRecord(new Absence(
                consumer,
                beginNs,
                endNs,
                ThreadAbsence.State.STOPPED,
                false,
                1,
                1,
                null,
                by,
                by,
                null,
                0,
                by,
                0,
                "",
                null,
                null,
                null,
                List.of(),
                List.of(),
                false));
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    private JitterReport report(Injection injection, List<Interval> injected, List<Outlier> outliers, String... log) {
        Histogram histogram = new Histogram(3);
        Stream.of(10 * US, 20 * US, 400 * US).forEach(histogram::recordValue);
        MeterSettings settings = new MeterSettings(
                new MeterSettings.Times(SECOND, 3 * SECOND, 20 * US, 50 * US),
                new MeterSettings.Threads(2, 3, true),
                new MeterSettings.Load(0, 0, Injection.NONE));
        return new JitterAnalysis(
                        settings,
                        new JitterRun.Subject(Path.of("java"), List.of("-Xmx1g"), injection, WORST, null),
                        new MeterReport(FROM, encoded(histogram), outliers, 5, 64, List.of(), "17"),
                        SafepointLog.of(List.of(log)),
                        trace)
                .report(injected, recorded, 0.25, List.of("the log"), List.of("the kernel"), null);
    }

    private JitterReport report(List<Outlier> outliers, String... log) {
        return report(Injection.NONE, List.of(), outliers, log);
    }

    @Test
    void shouldReportWhatWasMeasuredAndHow() {
        JitterReport report = report(List.of());
        assertThat(report.measured().messages()).isEqualTo(3);
        assertThat(report.measured().latencyUs().max()).isCloseTo(400, within(1.0));
        assertThat(report.measured().latencyUs().p50()).isCloseTo(20, within(0.1));
        assertThat(report.measured().allocatedBytes()).isEqualTo(64);
        assertThat(report.run())
                .extracting(JitterReport.Run::java, JitterReport.Run::flags, JitterReport.Run::durationS)
                .containsExactly("17", List.of("-Xmx1g"), 3.0);
        assertThat(report.threads()).isEqualTo(new JitterReport.Threads(20, 2, 3, "yield"));
        assertThat(report.outlying().outliersNotKept()).isEqualTo(5);
        assertThat(report.outlying().outliers()).isZero();
        assertThat(report.circumstances().injected()).isNull();
        assertThat(report.circumstances().stolenShare()).isEqualTo(0.25);
    }

    /** The sending thread was late for 30 us and the receiving one for 90; a safepoint explains 60 of these. */
    @Test
    void shouldExplainAnOutlierByTheTimesOfBothThreads() {
        long due = FROM + SECOND;
        JitterReport report =
                report(List.of(outlier(due, 30 * US, 90 * US)), safepoint("Cleanup", due + 40 * US, 60 * US));
        assertThat(report.outlying().worst()).singleElement().satisfies(late -> {
            assertThat(late.thread()).isEqualTo(LatencyMeter.CONSUMER);
            assertThat(late.when().atNs()).isEqualTo(due);
            assertThat(late.delay().us()).isEqualTo(120);
            assertThat(late.reason().reason()).as("half of it is explained").isEqualTo(Reason.SAFEPOINT);
            assertThat(late.reason().parts())
                    .containsExactly(new Part(Reason.SAFEPOINT, 60, "Cleanup"), new Part(Reason.UNEXPLAINED, 60, ""));
        });
        assertThat(report.outlying().attributed()).isEqualTo(1);
    }

    @Test
    void shouldNameTheSendingThreadIfItWasLateForLonger() {
        assertThat(report(List.of(outlier(FROM + SECOND, 90 * US, 30 * US)))
                        .outlying()
                        .worst())
                .extracting(JitterReport.Late::thread)
                .containsExactly(LatencyMeter.PRODUCER);
    }

    /** Three outliers of two reasons: the reason that took longest in all is first although one of the other is the longest. */
    @Test
    void shouldSumUpByReasonAndListTheWorst() {
        long first = FROM + 100 * MS;
        long second = FROM + 200 * MS;
        long third = FROM + 2 * SECOND;
        JitterReport report = report(
                List.of(outlier(first, 0, 80 * US), outlier(second, 0, 100 * US), outlier(third, 0, 120 * US)),
                safepoint("Cleanup", first - 10 * US, 90 * US),
                safepoint("G1Collect", second, 100 * US));
        assertThat(report.outlying().reasons())
                .containsExactly(
                        new JitterReport.ReasonSum(Reason.SAFEPOINT, 2, 180, 100, "G1Collect"),
                        new JitterReport.ReasonSum(Reason.UNEXPLAINED, 1, 120, 120, ""));
        assertThat(report.outlying().worst())
                .extracting(late -> late.delay().us())
                .containsExactly(120.0, 100.0);
        assertThat(report.outlying().attributed()).isEqualTo(2);
        assertThat(report.pauses().secondsWithOutlier()).isEqualTo(2);
        assertThat(report.pauses().secondsWithPause()).isEqualTo(1);
    }

    /** Only those that began while it was measured; the longest in all first. */
    @Test
    void shouldListTheSafepointsOfTheMeasurement() {
        JitterReport report = report(
                List.of(),
                safepoint("Cleanup", FROM - 10 * MS, 20 * MS),
                safepoint("Cleanup", FROM + 10 * MS, 20 * US),
                safepoint("Cleanup", FROM + SECOND, 30 * US),
                safepoint("HeapDumper", FROM + SECOND + MS, 200 * US),
                safepoint("HeapDumper", FROM + 3 * SECOND + MS, 20 * MS));
        assertThat(report.pauses().safepoints())
                .extracting(
                        SafepointTable.Row::operation,
                        SafepointTable.Row::count,
                        SafepointTable.Row::totalNs,
                        SafepointTable.Row::longestNs,
                        SafepointTable.Row::longestToSafepointNs)
                .containsExactly(
                        tuple("HeapDumper", 1L, 200 * US, 200 * US, 20 * US),
                        tuple("Cleanup", 2L, 50 * US, 30 * US, 3 * US));
    }

    /** Half a second is ten twentieths, wherever the wall clock stands. */
    @Test
    void shouldTellWhereInTheSecondTheyBegan() {
        JitterReport report =
                report(List.of(outlier(FROM + 100 * MS, 0, 80 * US), outlier(FROM + 600 * MS, 0, 80 * US)));
        List<Long> phase = report.outlying().phase();
        assertThat(phase).hasSize(20);
        int bin = phase.indexOf(1L);
        assertThat(bin).isBetween(0, 9);
        assertThat(phase.get(bin + 10)).isEqualTo(1);
        assertThat(phase.stream().mapToLong(Long::longValue).sum()).isEqualTo(2);
    }

    /** Of four pauses one is outside of the measurement, one is not found, one is found without a reason, one is named; one outlier is of none of them. */
    @Test
    void shouldJudgeWhatWasFoundOfTheInjectedPauses() {
        long named = FROM + 100 * MS;
        long unnamed = FROM + 300 * MS;
        long besides = FROM + 400 * MS;
        stopped(named, named + 100 * US);
        List<Interval> pauses = List.of(
                new Interval(FROM - 50 * US, FROM + 50 * US),
                new Interval(named, named + 100 * US),
                new Interval(FROM + 200 * MS, FROM + 200 * MS + 100 * US),
                new Interval(unnamed, unnamed + 100 * US));
        JitterReport.Injected found = Objects.requireNonNull(report(
                        STOP,
                        pauses,
                        List.of(
                                outlier(named + 10 * US, 0, 95 * US),
                                outlier(unnamed + 10 * US, 0, 95 * US),
                                outlier(besides, 0, 70 * US)))
                .circumstances()
                .injected());
        assertThat(found).isEqualTo(new JitterReport.Injected("stop", 100, 3, 2, 1, 1, 1));
    }

    /** A stop in the record does not name a pause that another way has made. */
    @Test
    void shouldNotTakeAnotherReasonForTheInjectedOne() {
        long begin = FROM + 100 * MS;
        stopped(begin, begin + 100 * US);
        Injection preemption = new Injection(Injection.Kind.PREEMPTION, 100 * US);
        assertThat(report(
                                preemption,
                                List.of(new Interval(begin, begin + 100 * US)),
                                List.of(outlier(begin, 0, 100 * US)))
                        .circumstances()
                        .injected())
                .isEqualTo(new JitterReport.Injected("preemption", 100, 1, 1, 1, 0, 0));
    }

    /** Of safepoints, those count that JFR has recorded: the injector alone does not know whether the threads stood. */
    @Test
    void shouldCountTheInjectedSafepointsThatJfrRecorded() {
        Injection shortOnes = new Injection(Injection.Kind.SAFEPOINT, 2);
        Interval never =
                new Interval(asked.beginNs() + TimeUnit.HOURS.toNanos(1), asked.endNs() + TimeUnit.HOURS.toNanos(1));
        assertThat(made(shortOnes, asked, asked)).isEqualTo(1);
        assertThat(made(shortOnes, never, never)).isZero();
        Injection tooLong = new Injection(Injection.Kind.SAFEPOINT, TimeUnit.HOURS.toNanos(1));
        assertThat(made(tooLong, asked, asked))
                .as("none had half of that length")
                .isZero();
    }

    /** The measurement is put around the pause. */
    private int made(Injection injection, Interval pause, Interval measured) {
        MeterSettings settings = new MeterSettings(
                new MeterSettings.Times(0, 3 * SECOND, 20 * US, 50 * US),
                new MeterSettings.Threads(-1, -1, false),
                new MeterSettings.Load(0, 0, injection));
        JitterReport report = new JitterAnalysis(
                        settings,
                        new JitterRun.Subject(Path.of("java"), List.of(), injection, WORST, null),
                        new MeterReport(
                                measured.beginNs() - SECOND,
                                encoded(new Histogram(3)),
                                List.of(),
                                0,
                                0,
                                List.of(),
                                "17"),
                        SafepointLog.of(List.of()),
                        trace)
                .report(List.of(pause), recorded, 0, List.of(), List.of(), null);
        return Objects.requireNonNull(report.circumstances().injected()).made();
    }
}
