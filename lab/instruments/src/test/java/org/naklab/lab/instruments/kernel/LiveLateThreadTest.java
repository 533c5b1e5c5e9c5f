package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.JvmEvent.Safepoint;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.jvm.JvmInstrument;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Finds the thread that a safepoint of another JVM waits for. */
@Matrix
@Timeout(120)
class LiveLateThreadTest {
    private static final long LONG_NS = 20_000_000;

    @TempDir
    Path directory;

    private final EventLog events = new EventLog();

    @BeforeAll
    static void prepare() {
        Assumptions.assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
    }

    @Test
    void shouldNameTheThreadThatIsLateForASafepoint() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:-UseCountedLoopSafepoints",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LateJvm.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = jvm.inputReader(StandardCharsets.US_ASCII)) {
            assertThat(output.readLine()).isEqualTo("ready");
            try (KernelInstrument kernel = KernelInstrument.start(
                            List.of(new KernelInstrument.Subject(jvm.pid(), "late", "main", false)), events);
                    JvmInstrument pauses = JvmInstrument.ofProcess(
                            "late", jvm.pid(), directory.resolve("jfr"), Duration.ofMillis(10), null, events)) {
                Await.until("a long way to a safepoint", () -> {
                    requestSafepoint(jvm, output);
                    return longestWay().isPresent();
                });
                assertThat(pauses.summary().longestToSafepointNs()).isGreaterThanOrEqualTo(LONG_NS);
                kernel.finish();
                List<ThreadBusy> busy = events.of(TimelineEventType.THREAD_BUSY).stream()
                        .flatMap(TimelineEvent.only(ThreadBusy.class))
                        .toList();

                assertThat(ThreadBusy.late(longestWay().orElseThrow(), busy))
                        .as("%s of %s", longestWay(), busy)
                        .map(ThreadBusy::thread)
                        .contains(LateJvm.LATE);
            }
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }

    private static void requestSafepoint(Process jvm, BufferedReader output) {
        try {
            jvm.getOutputStream().write('\n');
            jvm.getOutputStream().flush();
            assertThat(output.readLine()).isEqualTo("done");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<Safepoint> longestWay() {
        return events.of(TimelineEventType.SAFEPOINT).stream()
                .flatMap(TimelineEvent.only(Safepoint.class))
                .filter(safepoint -> safepoint.toSafepointNs() >= LONG_NS)
                .max(Comparator.comparingLong(Safepoint::toSafepointNs));
    }
}
