package org.naklab.lab.instruments.jvm.safepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;

@Timeout(60)
class SafepointLogInstrumentTest {
    @TempDir
    private Path directory;

    private final EventLog events = new EventLog();

    /** The JVM may write a line while the log is read. */
    @Test
    void shouldReportALineWhenItIsComplete() throws IOException {
        Path file = Files.writeString(
                directory.resolve("log"),
                "[70000000ns][gc] GC(3) Pause Full (System.gc()) 6M->0M(365M) 50.000ms\n[71000000ns][safepoint] Safe");
        SafepointLogInstrument log = SafepointLogInstrument.attach("mds", file, Duration.ofMillis(10), events);
        log.refresh(0);
        assertThat(events.all()).extracting(TimelineEvent::type).containsExactly(TimelineEventType.GC_PAUSE);

        append(
                file,
                "point \"G1CollectFull\", Time since last: 1 ns, Reaching safepoint: 1000000 ns, Total: 55000000 ns\n"
                        + "[71000001ns][gc,cpu] GC(3) User=0.04s Sys=0.00s Real=0.05s\n"
                        + "[90000000ns][safepoint] Safepoint \"None\", Time since last: 1 ns, Reaching safepoint: 9 ns,"
                        + " Total: 50 ns\n");
        Files.delete(file);
        log.close();

        TimelineEvent safepoint = events.of(TimelineEventType.SAFEPOINT).get(0);
        assertThat(events.of(TimelineEventType.SAFEPOINT)).hasSize(1);
        assertThat(safepoint.timeNs()).isEqualTo(16_000_000);
        assertThat(safepoint.longDetail("durationNs", 0)).isEqualTo(55_000_000);
        assertThat(safepoint.longDetail("toSafepointNs", 0)).isEqualTo(1_000_000);
        assertThat(safepoint.detail("operation")).isEqualTo("G1CollectFull");
        TimelineEvent cpu = events.of(TimelineEventType.GC_CPU_TIME).get(0);
        assertThat(cpu.detail("gcId"))
                .isEqualTo(events.of(TimelineEventType.GC_PAUSE).get(0).detail("gcId"));
        assertThat(cpu.longDetail("cpuNs", 0)).isEqualTo(40_000_000);
        assertThat(log.safepoints())
                .extracting(SafepointTable.Row::operation, SafepointTable.Row::count)
                .containsExactly(tuple("G1CollectFull", 1L), tuple("None", 1L));
    }

    @Test
    void shouldSayThatThereIsNoLog() {
        Path none = directory.resolve("none");
        assertThatExceptionOfType(DetectException.class)
                .isThrownBy(() -> SafepointLogInstrument.attach("mds", none, Duration.ZERO, events))
                .withMessageContaining("log of the JVM of mds");
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }
}
