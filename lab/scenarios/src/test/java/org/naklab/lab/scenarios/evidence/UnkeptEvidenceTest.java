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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.series.Series;
import org.naklab.testing.events.Samples;

/** What writes a run's evidence goes on where the disk is full, and says once what is lost. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class UnkeptEvidenceTest {
    private static final int SAMPLES = 200_000;
    private static final int PAGE_BYTES = 4096;

    @TempDir
    private Path directory;

    private final Unkept unkept = new Unkept();

    /** A disk of one page, which a file fills: files can be made there, and nothing can be written to them. */
    private final class FullDisk implements AutoCloseable {
        private final Path mount;

        FullDisk() throws IOException {
            assumeThat(System.getProperty("user.name"))
                    .as("who may mount a small disk")
                    .isEqualTo("root");
            mount = Files.createDirectory(directory.resolve("disk"));
            run("mount", "-t", "tmpfs", "-o", "size=" + PAGE_BYTES, "tmpfs", mount.toString());
        }

        Path filled(String name) throws IOException {
            Files.write(mount.resolve("filler"), new byte[PAGE_BYTES]);
            return mount.resolve(name);
        }

        @Override
        public void close() throws IOException {
            run("umount", mount.toString());
        }

        private void run(String... command) throws IOException {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertThat(process.onExit().join().exitValue())
                    .as(String.join(" ", command))
                    .isZero();
        }
    }

    @Test
    void shouldSayOnceThatSamplesAreLost() throws IOException {
        Series series = new Series(SeriesName.of("socket.mds.0.0.0.0:1#2.depthBytes"));
        try (FullDisk disk = new FullDisk();
                KeptSamples samples = new KeptSamples(disk.filled("samples.csv.gz"), unkept)) {
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
        try (FullDisk disk = new FullDisk();
                KeptSamples samples = new KeptSamples(disk.filled("samples.csv.gz"), unkept)) {
            samples.onSample(1, new Series(SeriesName.of("socket.mds.0.0.0.0:1#2.depthBytes")), 1);
        }
        assertThat(unkept.lines()).hasSize(1);
    }

    @Test
    void shouldSayOnceThatTheTimelineIsLost() throws IOException {
        try (FullDisk disk = new FullDisk();
                KeptTimeline timeline = new KeptTimeline(disk.filled("timeline.jsonl"), unkept)) {
            for (int i = 0; i < 1_000; i++) {
                timeline.onEvent(TimelineEvent.of(
                        i,
                        TimelineEventType.NAK_SENT,
                        "mds",
                        Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of("naks", 1L))));
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
        try (FullDisk disk = new FullDisk()) {
            Path file = disk.mount.resolve("run.json");
            Json.write(file, Map.of("verdict", "pass"));
            assertThatThrownBy(() -> Json.write(file, Map.of("verdict", "fail".repeat(PAGE_BYTES))))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("run.json")
                    .hasMessageContaining("No space left");
            assertThat(file).content().contains("pass");
            assertThat(disk.mount).isDirectoryContaining(file::equals);
            assertThat(disk.mount).isDirectoryNotContaining(other -> !other.equals(file));
        }
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
