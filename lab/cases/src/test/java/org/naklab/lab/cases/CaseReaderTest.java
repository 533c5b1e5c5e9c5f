package org.naklab.lab.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.readings.Reading;
import org.naklab.lab.records.RunCase;
import org.naklab.testing.events.Samples;

@Timeout(60)
final class CaseReaderTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path directory;

    private static Case stopped() {
        SeriesName longestGap = SeriesName.of("heartbeat.mds.mds-context.longestGapNs");
        Map<SeriesName, List<Reading>> readings = Map.of(
                SeriesName.of("aeron.mds.stream1.session2.highestPositionBytes"),
                List.of(new Reading(5, 7), new Reading(9, 8)),
                longestGap,
                List.of());
        return new Case(
                CaseDocument.recorded(
                        CaseDocument.Kind.RUN,
                        "mds",
                        List.of(4000),
                        new Interval(0, 2_000 * MS),
                        17,
                        CaseDocument.Counters.of(
                                List.of(new CaseDocument.Receiver(
                                        new CaseFile.Receiver(
                                                "mds",
                                                new CaseFile.Receiver.Events(10, 0),
                                                new CaseFile.Receiver.Losses(1, 3, 0, 0, 0)),
                                        new SocketDrops(3, 0),
                                        true,
                                        10)),
                                Map.of(longestGap, 150 * MS),
                                readings),
                        List.of("a problem"),
                        List.of("blind")),
                List.of(
                        TimelineEvent.of(
                                0,
                                TimelineEventType.KERNEL_RECORDED,
                                "mds",
                                Samples.whole(
                                        TimelineEventType.KERNEL_RECORDED.form(), Map.of("durationNs", 2_000 * MS))),
                        TimelineEvent.of(
                                500 * MS, TimelineEventType.STALL, "mds", "mds-context", Map.of("durationMs", 150.5))),
                readings);
    }

    @Test
    void shouldReadWhatWasWritten() {
        Path written = directory.resolve("case");
        CaseWriter.write(written, stopped());

        try (CaseReader reader = CaseReader.open(directory)) {
            Case read = reader.read();

            assertThat(read.document()).isEqualTo(stopped().document());
            assertThat(Judgement.of(read)).isEqualTo(Judgement.of(stopped()));
            assertThat(read.fileOf(4000, read.events()).readings())
                    .isEqualTo(stopped().fileOf(4000, read.events()).readings());
            assertThat(reader.truth()).isEmpty();
        }
    }

    @Test
    void shouldReadAnArchive() throws IOException {
        Path written = directory.resolve("case");
        CaseWriter.write(written, stopped());
        Path archive = directory.resolve("case.zip");
        try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            for (String name : List.of(CaseDocument.NAME, CaseReader.EVENTS, CaseReader.READINGS)) {
                Files.copy(written.resolve(name), zip.getPath("/", name));
            }
        }

        try (CaseReader reader = CaseReader.open(archive)) {
            assertThat(reader.read().document()).isEqualTo(stopped().document());
        }
    }

    @Test
    void shouldRefuseALaterFormat() throws IOException {
        Path written = directory.resolve("case");
        CaseWriter.write(written, stopped());
        Path document = written.resolve(CaseDocument.NAME);
        Files.writeString(document, Files.readString(document).replace("\"format\" : 1", "\"format\" : 2"));

        try (CaseReader reader = CaseReader.open(written)) {
            assertThatThrownBy(reader::read)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("has format 2, and this version reads cases up to format 1");
        }
    }

    @Test
    void shouldSayWhichFileIsDamaged() throws IOException {
        Path written = directory.resolve("case");
        CaseWriter.write(written, stopped());
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(written.resolve(CaseReader.READINGS)))) {
            out.write("time_ns,series,value\nx,y\n".getBytes(StandardCharsets.UTF_8));
        }
        try (CaseReader reader = CaseReader.open(written)) {
            assertThatThrownBy(reader::read)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("readings.csv.gz cannot be read: line 2 is no row");
        }
        Files.delete(written.resolve(CaseReader.EVENTS));
        try (CaseReader reader = CaseReader.open(written)) {
            assertThatThrownBy(reader::read)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("timeline.jsonl.gz is missing");
        }
    }

    @Test
    void shouldSayThatThereIsNoCase() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no archive");

        assertThatThrownBy(() -> CaseReader.open(directory)).hasMessageContaining("no case in ");
        assertThatThrownBy(() -> CaseReader.open(text)).hasMessageContaining("neither a directory nor a zip archive");
        assertThatThrownBy(() -> CaseReader.open(directory.resolve("absent"))).hasMessageContaining("there is no ");
    }

    @Test
    void shouldBoundWhatIsDecompressed() {
        byte[] content = new byte[100];
        assertThatThrownBy(() -> new BoundedInput(new ByteArrayInputStream(content), 99).readAllBytes())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 99 bytes");
    }

    @Test
    void shouldLeaveOutWhatTheInjectorSays() {
        TimelineEvent bound = TimelineEvent.of(
                5,
                TimelineEventType.SYMBOL_BOUND,
                "mds",
                Samples.whole(TimelineEventType.SYMBOL_BOUND.form(), Map.of("symbol", "sched_yield", "delayed", true)));
        TimelineEvent narrowed = TimelineEvent.of(6, TimelineEventType.MEMORY_NARROWED, "mds", Map.of());

        assertThat(ObservedEvents.of(List.of(bound, narrowed))).singleElement().satisfies(event -> assertThat(
                        event.details())
                .containsEntry("symbol", "sched_yield")
                .doesNotContainKey("delayed"));
    }

    @Test
    void shouldGiveUpACleanDiagnosisForWhatWasNotSeen() {
        Case healthy = new Case(
                CaseDocument.recorded(
                        CaseDocument.Kind.RUN,
                        "mds",
                        List.of(4000),
                        new Interval(0, 2_000 * MS),
                        0,
                        CaseDocument.Counters.of(List.of(), Map.of(), Map.of()),
                        List.of(),
                        List.of()),
                List.of(),
                Map.of());
        Judgement clean = Judgement.of(healthy);
        Truth unheld = new Truth(
                1, RunCase.ofWatch(), List.of(), Map.of(), new Truth.Unheld(5, List.of("unknown: it did not fire")));

        Judgement doubted = Judgement.of(healthy, Optional.of(unheld));

        assertThat(clean.diagnosis().cause().label()).isEqualTo("clean");
        assertThat(doubted.diagnosis().cause().label()).isEqualTo("cannot-tell");
        assertThat(doubted.diagnosis().evidence()).singleElement().matches(each -> each.atNs() == 5);
    }
}
