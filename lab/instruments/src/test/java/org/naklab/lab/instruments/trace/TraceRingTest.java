package org.naklab.lab.instruments.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.trace.TraceFile;
import org.naklab.lab.core.trace.TraceLine;
import org.naklab.lab.core.trace.TraceSummary;
import org.naklab.testing.events.Samples;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TraceRingTest {
    private static final String CPU_STATS = """
            entries: 2217
            overrun: 12
            commit overrun: 1
            bytes: 80128
            oldest event ts:  2537.048023
            now ts:  2537.376862
            dropped events: 3
            read events: 0
            """;

    @TempDir
    private Path directory;

    private final List<List<String>> promises = new ArrayList<>();
    private int kept;

    @Test
    void shouldHoldWhatRanUntilTheIncidentAndNothingLater() throws IOException, InterruptedException {
        long beganNs = System.nanoTime();
        try (TraceRing ring = start(false)) {
            ring.armFrom(beganNs);
            switchThreads();
            ring.onEvent(stall(System.nanoTime()));
            switchThreads();
            ring.onWindow(directory, 0, System.nanoTime());
        }
        TraceSummary summary = Json.read(directory.resolve(TraceSummary.NAME), TraceSummary.class);
        List<TraceLine> lines = TraceFile.read(directory.resolve(TraceFile.NAME));
        assertThat(summary.trigger().trip()).isEqualTo("STALL");
        assertThat(summary.times().stoppedNs())
                .isGreaterThanOrEqualTo(summary.times().reportedNs());
        assertThat(lines).extracting(TraceLine::event).contains("sched_switch", "sched_waking");
        assertThat(lines.get(lines.size() - 1).timeNs())
                .isLessThanOrEqualTo(summary.times().stoppedNs());
        assertThat(lines.get(lines.size() - 1).timeNs())
                .as("the clock is that of Java")
                .isGreaterThan(beganNs);
        assertThat(summary.cpus()).isNotEmpty();
        assertThat(summary.sources().events()).contains("irq/softirq_entry", "irq_vectors/local_timer_entry");
    }

    /** A park may end at once; who waits for the end of a process leaves the CPU and is woken. */
    private static void switchThreads() throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("true").start().waitFor()).isZero();
    }

    @Test
    void shouldRecordAgainForAnotherWindow() throws IOException {
        try (TraceRing ring = start(true)) {
            ring.armFrom(0);
            long againNs = System.nanoTime();
            ring.onEvent(stall(System.nanoTime()));
            ring.onWindow(directory, 0, System.nanoTime());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            ring.onEvent(stall(System.nanoTime()));
            ring.onWindow(directory, 0, System.nanoTime());
            List<TraceLine> lines = TraceFile.read(directory.resolve(TraceFile.NAME));
            assertThat(lines).isNotEmpty();
            assertThat(lines.get(0).timeNs()).as("the first window is gone").isGreaterThan(againNs);
        }
    }

    /** The diagnosis chooses the worst stall: a trace that ended with a shorter one before it would be of no use. */
    @Test
    void shouldKeepAWorseIncidentThatComesLater() throws IOException {
        try (TraceRing ring = start(false)) {
            ring.armFrom(0);
            ring.onEvent(stall(System.nanoTime(), 20));
            ring.onWindow(directory, 0, System.nanoTime());
            long formerNs = Json.read(directory.resolve(TraceSummary.NAME), TraceSummary.class)
                    .times()
                    .stoppedNs();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            long worstNs = System.nanoTime();
            ring.onEvent(stall(worstNs, 80));
            ring.writeWorst(directory);
            TraceSummary summary = Json.read(directory.resolve(TraceSummary.NAME), TraceSummary.class);
            List<TraceLine> lines = TraceFile.read(directory.resolve(TraceFile.NAME));
            assertThat(summary.times().eventNs()).isEqualTo(worstNs);
            assertThat(lines).isNotEmpty();
            assertThat(lines.get(lines.size() - 1).timeNs())
                    .as("recorded after the first one")
                    .isGreaterThan(formerNs);
        }
    }

    /** The second set of rings is empty and records at once, so that the lesser incident could be kept. */
    @Test
    void shouldKeepTheWorstIncidentWhenALesserOneFollows() throws IOException {
        long worstNs = System.nanoTime();
        try (TraceRing ring = start(false)) {
            ring.armFrom(0);
            ring.onEvent(stall(worstNs, 80));
            ring.onEvent(stall(System.nanoTime(), 30));
            ring.onWindow(directory, 0, System.nanoTime());
        }
        TraceSummary summary = Json.read(directory.resolve(TraceSummary.NAME), TraceSummary.class);
        assertThat(summary.times().eventNs()).isEqualTo(worstNs);
    }

    /** The drops of a stall may be told after it: they are of the incident that is kept. */
    @Test
    void shouldKeepTheStallWhoseDropsAreToldLater() throws IOException {
        long beganNs = System.nanoTime();
        try (TraceRing ring = start(false)) {
            ring.armFrom(0);
            ring.onEvent(stall(beganNs, 0));
            TimelineEvent drops = TimelineEvent.of(
                    beganNs,
                    TimelineEventType.DATAGRAMS_DROPPED,
                    "mds",
                    "",
                    Samples.whole(TimelineEventType.DATAGRAMS_DROPPED.form(), Map.of()));
            ring.onEvent(drops);
            ring.onWindow(directory, 0, System.nanoTime());
        }
        TraceSummary summary = Json.read(directory.resolve(TraceSummary.NAME), TraceSummary.class);
        assertThat(summary.trigger().trip()).isEqualTo("STALL");
    }

    @Test
    void shouldLeaveNothingBehind() throws IOException {
        Path instance;
        Path mount;
        try (TraceRing ring = start(false)) {
            assertThat(ring.describe()).contains("17 tracepoints");
            List<String> undo = promises.get(0);
            instance = Path.of(undo.get(4));
            mount = Path.of(undo.get(5));
            assertThat(instance).isDirectory();
            assertThat(kept).isZero();
        }
        assertThat(instance).doesNotExist();
        assertThat(mount.toString().isEmpty() || Files.notExists(mount)).isTrue();
        assertThat(kept).as("both sets of rings").isEqualTo(2);
        Process again = new ProcessBuilder(promises.get(0)).start();
        assertThat(again.onExit().join().exitValue()).as("undone once more").isZero();
    }

    @Test
    void shouldUseATracerOfLatenciesIfTheKernelHasOne() throws IOException {
        Path instance = fixture("hwlat blk timerlat osnoise function nop");
        TraceSettings settings = TraceSettings.apply(instance, List.of("mds-context"));
        assertThat(settings.tracers()).containsExactly("timerlat");
        assertThat(instance.resolve("current_tracer")).hasContent("timerlat");
        assertThat(instance.resolve("trace_clock")).hasContent("mono");
        assertThat(instance.resolve("events/sched/sched_switch/trigger"))
                .hasContent("stacktrace if prev_comm == \"mds-context\"");
        assertThat(settings.events()).containsExactly("sched/sched_switch");
        assertThat(settings.missing()).contains("irq/softirq_entry");
    }

    @Test
    void shouldUseOsnoiseWithoutTimerlatAndNoTracerWithoutBoth() throws IOException {
        assertThat(TraceSettings.apply(fixture("osnoise nop"), List.of()).tracers())
                .containsExactly("osnoise");
        assertThat(TraceSettings.apply(fixture("blk function nop"), List.of()).tracers())
                .isEmpty();
    }

    /** A kernel of a distribution has all but the last two. */
    @Test
    void shouldRecordWhenInterruptsAreOffInRingsOfTheirOwn() throws IOException {
        Path usual = fixture("nop");
        TraceSettings without = TraceSettings.apply(usual, List.of());
        assertThat(TraceSettings.hasInterruptsOff(usual)).isFalse();
        assertThat(without.missing()).contains("preemptirq/irq_disable", "preemptirq/irq_enable");

        Path instance = fixture("nop");
        Files.createDirectories(instance.resolve("events/preemptirq/irq_disable"));
        Files.createDirectories(instance.resolve("events/preemptirq/irq_enable"));
        TraceSettings with = TraceSettings.apply(instance, List.of());
        assertThat(with.events()).contains("preemptirq/irq_disable", "preemptirq/irq_enable");
        assertThat(with.missing()).doesNotContain("preemptirq/irq_disable");
        assertThat(instance.resolve("events/preemptirq/irq_disable/enable"))
                .as("in the rings of the other events")
                .doesNotExist();

        assertThat(TraceSettings.hasInterruptsOff(instance)).isTrue();
        TraceSettings own = TraceSettings.applyInterruptsOff(instance);
        assertThat(own.events()).containsExactly("preemptirq/irq_disable", "preemptirq/irq_enable");
        assertThat(instance.resolve("events/preemptirq/irq_enable/enable")).hasContent("1");
        assertThat(instance.resolve("trace_clock")).hasContent("mono");
        assertThat(instance.resolve("tracing_on")).hasContent("0");
    }

    @Test
    void shouldCountWhatTheKernelCouldNotKeep() {
        assertThat(TraceInstance.cpu(1, CPU_STATS))
                .isEqualTo(new TraceSummary.Cpu(1, 2_217, 12, 4, 2_537_048_023_000L));
    }

    private Path fixture(String tracers) throws IOException {
        Path instance = Files.createTempDirectory(directory, "tracefs");
        Files.createDirectories(instance.resolve("events/sched/sched_switch"));
        Files.writeString(instance.resolve("available_tracers"), tracers + "\n");
        return instance;
    }

    private TraceRing start(boolean isWantedAgain) {
        try {
            return TraceRing.start(
                    Set.of(TimelineEventType.STALL, TimelineEventType.DATAGRAMS_DROPPED),
                    List.of("mds-context"),
                    () -> isWantedAgain,
                    (what, command) -> {
                        promises.add(command);
                        return () -> kept++;
                    });
        } catch (DetectException e) {
            return abort(String.valueOf(e.getMessage()));
        }
    }

    private static TimelineEvent stall(long timeNs) {
        return stall(timeNs, 0);
    }

    private static TimelineEvent stall(long timeNs, long durationMs) {
        return TimelineEvent.of(
                timeNs,
                TimelineEventType.STALL,
                "mds",
                "mds-context",
                Map.of("durationNs", TimeUnit.MILLISECONDS.toNanos(durationMs)));
    }
}
