package org.naklab.lab.scenarios.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.series.Series;

/** What writes a run's evidence goes on where the disk is full, and says once what is lost. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class UnkeptEvidenceTest {
    /** Takes nothing: every write fails as on a full disk. */
    private static final Path FULL = Path.of("/dev/full");

    private static final int SAMPLES = 200_000;

    @TempDir
    private Path directory;

    private final Unkept unkept = new Unkept();

    @BeforeEach
    void requireFullDevice() {
        assumeThat(Files.exists(FULL)).as("a device that is always full").isTrue();
    }

    @Test
    void shouldSayOnceThatSamplesAreLost() throws IOException {
        Path file = Files.createSymbolicLink(directory.resolve("samples.csv.gz"), FULL);
        Series series = new Series("sock.mds.depthBytes");
        try (KeptSamples samples = new KeptSamples(file, unkept)) {
            for (int i = 0; i < SAMPLES; i++) {
                samples.onSample(i, series, i * 7919L);
            }
        }
        assertThat(unkept.lines())
                .singleElement()
                .asString()
                .contains("samples.csv.gz")
                .contains("No space left");
    }

    @Test
    void shouldSayThatFewSamplesAreLostToo() throws IOException {
        Path file = Files.createSymbolicLink(directory.resolve("samples.csv.gz"), FULL);
        try (KeptSamples samples = new KeptSamples(file, unkept)) {
            samples.onSample(1, new Series("sock.mds.depthBytes"), 1);
        }
        assertThat(unkept.lines()).hasSize(1);
    }

    @Test
    void shouldSayOnceThatTheTimelineIsLost() throws IOException {
        Path file = Files.createSymbolicLink(directory.resolve("timeline.jsonl"), FULL);
        try (KeptTimeline timeline = new KeptTimeline(file, unkept)) {
            for (int i = 0; i < 1_000; i++) {
                timeline.onEvent(TimelineEvent.of(i, TimelineEventType.NAK_SENT, "mds", Map.of("naks", 1L)));
            }
        }
        assertThat(unkept.lines()).singleElement().asString().contains("timeline");
    }

    @Test
    void shouldGoOnWithoutFilesThatCannotBeMade() {
        Path nowhere = directory.resolve("none").resolve("file");
        new KeptSamples(nowhere, unkept).close();
        new KeptTimeline(nowhere, unkept).close();
        Reserve.in(nowhere, unkept).close();
        assertThat(unkept.lines()).hasSize(3);
    }

    @Test
    void shouldGiveTheReserveBack() {
        Reserve reserve = Reserve.in(directory, unkept);
        assertThat(directory.resolve(".reserve")).hasSize(Reserve.BYTES);
        reserve.close();
        assertThat(directory).isEmptyDirectory();
        assertThat(unkept.lines()).isEmpty();
    }

    @Test
    void shouldWriteADocumentAsAWholeOrNotAtAll() throws IOException {
        Path file = directory.resolve("run.json");
        Json.write(file, Map.of("verdict", "pass"));
        Files.createSymbolicLink(directory.resolve(".run.json.new"), FULL);
        assertThatThrownBy(() -> Json.write(file, Map.of("verdict", "fail")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("run.json")
                .hasMessageContaining("No space left");
        assertThat(file).content().contains("pass");
        assertThat(directory.resolve(".run.json.new")).doesNotExist();
    }

    @Test
    void shouldNotListWithoutEnd() {
        for (int i = 0; i < 10_000; i++) {
            unkept.add("line " + i);
        }
        assertThat(unkept.lines()).hasSize(100);
        assertThat(unkept.add("line 0")).isFalse();
    }
}
