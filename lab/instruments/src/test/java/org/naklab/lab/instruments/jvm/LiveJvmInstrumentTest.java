package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.jvm.safepoint.SafepointLog;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.threads.WaitingProcess;
import org.naklab.lab.instruments.threads.WatchedThreads;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Compares what JFR tells of other JVMs with their own logs. */
@Matrix
@Timeout(120)
class LiveJvmInstrumentTest {
    private static final double SLICE_NS = 10e6;

    @TempDir
    Path directory;

    private final EventLog events = new EventLog();

    @Test
    void shouldReportTheCpuTimeOfACollection() {
        assumeThat(FlightRecorder.getFlightRecorder().getEventTypes())
                .extracting(EventType::getName)
                .contains(JvmInstrument.GC_CPU_TIME);
        try (JvmInstrument jvm = JvmInstrument.ofThisProcess("lab", Duration.ZERO, null, events)) {
            AtomicLong looks = new AtomicLong();
            Await.until("the CPU time of a collection", () -> {
                if (looks.getAndIncrement() % 100 == 0) {
                    System.gc();
                }
                return cpuTimeOfRequestedCollection().isPresent();
            });
            assertThat(jvm.describe()).contains("collections");
        }
        assertThat(cpuTimeOfRequestedCollection().orElseThrow().longDetail("cpuNs", -1))
                .isNotNegative();
    }

    private Optional<TimelineEvent> cpuTimeOfRequestedCollection() {
        return requestedCollection().flatMap(collection -> events.of(TimelineEventType.GC_CPU_TIME).stream()
                .filter(cpu -> Objects.equals(cpu.detail("gcId"), collection.detail("gcId")))
                .findFirst());
    }

    @ParameterizedTest
    @CsvSource({"GC.heap_dump, HeapDumper", "Thread.print, PrintThreads"})
    void shouldNameTheOperationOfASafepointAndWhoRequestedIt(String command, String operation) throws Exception {
        Process other = startCollector();
        try (JvmInstrument jvm = JvmInstrument.ofProcess(
                "mds", other.pid(), directory.resolve("its jfr"), Duration.ZERO, null, events)) {
            String argument = command.endsWith("dump") ? " " + directory.resolve("dumped.hprof") : "";
            assertThat(jvm.describe()).contains("safepoints");
            Jcmd.ask(other.pid(), List.of(command + argument));
            Await.until(
                    "safepoint of " + operation, () -> safepointOf(operation).isPresent());
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(safepointOf(operation).orElseThrow().textDetail("caller")).isEqualTo("Attach Listener");
    }

    @Test
    void shouldNameTheCollectionAsTheOperationOfItsSafepoint() throws Exception {
        Process other = startCollector();
        try (JvmInstrument jvm = JvmInstrument.ofProcess(
                "mds", other.pid(), directory.resolve("its jfr"), Duration.ZERO, null, events)) {
            assertThat(jvm.describe()).contains("safepoints");
            Await.until("safepoint that the main thread requested", () -> {
                writeLine(other);
                return events.of(TimelineEventType.SAFEPOINT).stream()
                        .anyMatch(safepoint -> safepoint.textDetail("caller").equals("main")
                                && !safepoint.textDetail("operation").isEmpty());
            });
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    /** The last ones happen just before the end, when JFR has not handed them over yet. */
    @Test
    void shouldCountTheSafepointsThatTheLogOfTheSameJvmHas() throws Exception {
        Path log = directory.resolve("safepoints.log");
        Process other = start(CollectorProcess.class, SafepointLog.option(log));
        JvmInstrument jvm = JvmInstrument.ofProcess("mds", other.pid(), Duration.ofSeconds(9), null, events);
        try {
            for (int i = 0; i < 7; i++) {
                collect(other, i + 1, log);
            }
            Jcmd.ask(other.pid(), List.of("Thread.print"));
            jvm.completeSafepoints();
            assertThat(count(jvm.safepoints(), "PrintThreads")).isEqualTo(1);
            for (int i = 0; i < 3; i++) {
                Jcmd.ask(other.pid(), List.of("Thread.print"));
            }
            collect(other, 8, log);
        } finally {
            jvm.close();
            other.destroyForcibly().waitFor();
        }

        SafepointTable logged = new SafepointTable();
        SafepointLog.read(log)
                .safepoints()
                .forEach(each ->
                        logged.add(each.operation(), each.lengthNs(), each.toSafepointNs(), epochNs(each.beginNs())));
        List<SafepointTable.Row> requested = logged.rows().stream()
                .filter(row -> row.operation().equals("PrintThreads")
                        || row.operation().contains("Collect"))
                .toList();
        assertThat(requested).hasSize(2);
        requested.forEach(row -> assertAgrees(row, jvm.safepoints()));
        assertThat(count(logged.rows(), "PrintThreads")).isEqualTo(4);
        assertThat(events.all()).isEmpty();
    }

    /** JFR has its end when the JVM has written the line of the log, which takes a while: a slice of the scheduler if another thread gets the CPU. */
    private static void assertAgrees(SafepointTable.Row logged, List<SafepointTable.Row> rows) {
        SafepointTable.Row row = rows.stream()
                .filter(each -> each.operation().equals(logged.operation()))
                .findFirst()
                .orElseThrow();
        assertThat(row.count()).isEqualTo(logged.count());
        assertThat((double) row.totalNs())
                .isBetween(0.99 * logged.totalNs(), 1.01 * logged.totalNs() + row.count() * SLICE_NS);
        assertThat((double) row.longestNs()).isBetween(0.99 * logged.longestNs(), 1.01 * logged.longestNs() + SLICE_NS);
        assertThat(row.toSafepointNs()).isBetween(1L, row.totalNs());
        assertThat(row.phase().stream().mapToLong(Long::longValue).sum()).isEqualTo(logged.count());
    }

    private static long epochNs(long timeNs) {
        Instant time = MonotonicConverter.ofSystem().toInstant(timeNs);
        return time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }

    private static long count(List<SafepointTable.Row> rows, String operation) {
        return rows.stream()
                .filter(row -> row.operation().equals(operation))
                .mapToLong(SafepointTable.Row::count)
                .sum();
    }

    private static void collect(Process process, int count, Path log) {
        writeLine(process);
        Await.until(
                "collection " + count,
                () -> SafepointLog.read(log).collections().size() == count);
    }

    @Test
    void shouldReportWhatAThreadOfAnotherProcessWaitedFor() throws Exception {
        Process other = start(WaitingProcess.class);
        try (JvmInstrument jvm = JvmInstrument.ofProcess(
                "mds", other.pid(), JvmInstrument.DEFAULT_THRESHOLD, WatchedThreads.of("main"), events)) {
            assertThat(jvm.describe()).contains("long waits of main");
            Await.until("wait", () -> !events.of(TimelineEventType.JAVA_WAIT).isEmpty());
        } finally {
            other.destroyForcibly().waitFor();
        }
        TimelineEvent wait = events.of(TimelineEventType.JAVA_WAIT).get(0);
        assertThat(wait.thread()).isEqualTo("main");
        assertThat(wait.detail("what")).isEqualTo("slept");
        assertThat(wait.detail("where")).asString().startsWith(WaitingProcess.class.getName() + ".main:");
    }

    @Test
    void shouldDumpTheWindowOfAnotherProcess() throws Exception {
        Process other = startCollector();
        long beginNs = System.nanoTime();
        try (JvmInstrument jvm = JvmInstrument.ofProcess("mds", other.pid(), Duration.ZERO, null, events)) {
            Await.until("collection", () -> {
                writeLine(other);
                return !events.of(TimelineEventType.GC_PAUSE).isEmpty();
            });
            jvm.keepWindow(directory, beginNs, System.nanoTime());
        } finally {
            other.destroyForcibly().waitFor();
        }

        assertThat(RecordingFile.readAllEvents(directory.resolve("window.jfr")))
                .extracting(event -> event.getEventType().getName())
                .contains(JvmInstrument.GARBAGE_COLLECTION, JvmInstrument.SAFEPOINT_BEGIN);
    }

    @Test
    void shouldDumpNoWindowOfAProcessThatHasEnded() throws Exception {
        Process other = startCollector();
        try (JvmInstrument jvm = JvmInstrument.ofProcess("mds", other.pid(), Duration.ZERO, null, events)) {
            other.destroyForcibly().waitFor();
            assertThatThrownBy(() -> jvm.keepWindow(directory, System.nanoTime(), System.nanoTime()))
                    .isInstanceOf(DetectException.class);
        }
        assertThat(directory.resolve("window.jfr")).doesNotExist();
    }

    @Test
    void shouldWaitForAProcessThatEndsAndAskItNothing() throws Exception {
        Process other = startCollector();
        try {
            JvmInstrument jvm = JvmInstrument.ofProcess("mds", other.pid(), Duration.ZERO, null, events);
            jvm.expectEnd();
            Thread closing = new Thread(jvm::close);
            closing.start();
            Await.until("waiting for the end", () -> isWaiting(closing) && !isJcmdRunning());
            assertThat(other.isAlive()).isTrue();
            other.destroyForcibly();
            closing.join();
            assertThat(other.isAlive()).isFalse();
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldAskAProcessThatGoesOnToStopRecording() throws Exception {
        Process other = startCollector();
        try {
            JvmInstrument.ofProcess("mds", other.pid(), Duration.ZERO, null, events)
                    .close();
            assertThat(other.isAlive()).isTrue();
            assertThat(Jcmd.ask(other.pid(), List.of("JFR.check"))).doesNotContain("naklab-");
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    private Optional<TimelineEvent> safepointOf(String operation) {
        return events.of(TimelineEventType.SAFEPOINT).stream()
                .filter(safepoint -> safepoint.textDetail("operation").equals(operation))
                .findFirst();
    }

    private Optional<TimelineEvent> requestedCollection() {
        return events.of(TimelineEventType.GC_PAUSE).stream()
                .filter(event -> "System.gc()".equals(event.detail("cause")))
                .findFirst();
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static boolean isJcmdRunning() {
        return ProcessHandle.current()
                .children()
                .anyMatch(child -> child.info().command().orElse("").endsWith("/jcmd"));
    }

    private static Process startCollector() throws Exception {
        return start(CollectorProcess.class);
    }

    static Process start(Class<?> program, String... flags) throws Exception {
        Path classes = Path.of(
                program.getProtectionDomain().getCodeSource().getLocation().toURI());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String options = System.getProperty("naklab.root") + "/lab/src/main/dist/jvm.options";
        List<String> command = new ArrayList<>(List.of(java, "@" + options));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", classes.toString(), program.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
        return process;
    }

    private static void writeLine(Process process) {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
