package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.jvm.JvmEventDetector.Operation;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.testing.Await;

@Timeout(120)
class JvmInstrumentTest {
    @TempDir
    Path directory;

    private final EventLog events = new EventLog();

    @Test
    void shouldReportCollectionsAndSafepointsOfThisProcess() {
        long beforeNs = System.nanoTime();
        try (JvmInstrument jvm = JvmInstrument.ofThisProcess("lab", Duration.ZERO, null, events)) {
            AtomicLong looks = new AtomicLong();
            Await.until("collection and safepoint", () -> {
                // JFR itself comes to run between the collections.
                if (looks.getAndIncrement() % 100 == 0) {
                    System.gc();
                }
                return requestedCollection().isPresent()
                        && !events.of(TimelineEventType.SAFEPOINT).isEmpty();
            });
            assertThat(jvm.summary().safepoints()).isPositive();
            assertThat(jvm.summary().longestGcPauseNs()).isPositive();
        }
        long afterNs = System.nanoTime();

        TimelineEvent collection = requestedCollection().orElseThrow();
        assertThat(collection.timeNs()).isBetween(beforeNs, afterNs);
        TimelineEvent safepoint = events.of(TimelineEventType.SAFEPOINT).get(0);
        assertThat(safepoint.longDetail("toSafepointNs", -1)).isBetween(0L, safepoint.longDetail("durationNs", -1));
    }

    @Test
    void shouldReportCollectionsOfAnotherProcess() throws Exception {
        Process other = startCollector();
        try (JvmInstrument jvm = JvmInstrument.ofProcess(
                "mds", other.pid(), directory.resolve("its jfr"), Duration.ZERO, null, events)) {
            Await.until("collection", () -> {
                writeLine(other);
                return !events.of(TimelineEventType.GC_PAUSE).isEmpty();
            });
            assertThat(jvm.describe()).contains("mds");
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(events.all()).extracting(TimelineEvent::process).containsOnly("mds");
    }

    @Test
    void shouldSumUpShortPausesWithoutReportingThem() {
        JvmEventDetector rule = new JvmEventDetector("mds", Duration.ofMillis(10), events, times());
        Instant begin = Instant.ofEpochSecond(1_000);
        rule.onSafepoint(begin, begin.plusMillis(9), Duration.ofMillis(8), Operation.UNKNOWN);
        rule.onGarbageCollection(1, begin, Duration.ofMillis(7), "DefNew", "Allocation Failure");

        assertThat(events.all()).isEmpty();
        assertThat(rule.summary()).isEqualTo(new JvmSummary(1, 9_000_000, 8_000_000, 7_000_000));
    }

    @Test
    void shouldPutLongPausesOnTheMonotonicClock() {
        JvmEventDetector rule = new JvmEventDetector("mds", Duration.ofMillis(10), events, times());
        Instant begin = Instant.ofEpochSecond(1_000);
        rule.onSafepoint(begin, begin.plusMillis(150), Duration.ofMillis(140), Operation.UNKNOWN);

        TimelineEvent safepoint = events.all().get(0);
        assertThat(safepoint.timeNs()).isEqualTo(5_000_000_000L);
        assertThat(safepoint.longDetail("toSafepointNs", 0)).isEqualTo(140_000_000L);
        assertThat(safepoint.details()).doesNotContainKeys("operation", "caller");
    }

    @Test
    void shouldSayThatAProcessIsNoJvm() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try {
            assertThatThrownBy(() ->
                            JvmInstrument.ofProcess("x", sleeper.pid(), directory, Duration.ofMillis(1), null, events))
                    .isInstanceOf(DetectException.class)
                    .hasMessageContaining("process " + sleeper.pid() + " is no JVM");
        } finally {
            sleeper.destroyForcibly().waitFor();
        }
    }

    private Optional<TimelineEvent> requestedCollection() {
        return events.of(TimelineEventType.GC_PAUSE).stream()
                .filter(event -> "System.gc()".equals(event.detail("cause")))
                .findFirst();
    }

    /** The wall clock is at 1,010 s when the monotonic is at 15 s. */
    private static MonotonicConverter times() {
        return new MonotonicConverter(() -> 15_000_000_000L, () -> Instant.ofEpochSecond(1_010));
    }

    private static Process startCollector() throws Exception {
        return start(CollectorProcess.class);
    }

    private static Process start(Class<?> program, String... flags) throws Exception {
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
