package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SampleHistory;
import org.naklab.lab.instruments.series.SampleRing;
import org.naklab.lab.instruments.series.SampleWriter;
import org.naklab.lab.instruments.series.Series;
import org.naklab.lab.instruments.series.WindowListener;
import org.naklab.testing.events.Samples;

@Timeout(60)
class RecordingTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    Path directory;

    private final Series depth = new Series(SeriesName.of("depth"));
    private final Series steady = new Series(SeriesName.of("steady"));

    @Test
    void shouldHandOverWhatChangedAndCountWhatFoundNoRoom() {
        SampleRing ring = new SampleRing(4);
        for (long value : new long[] {1, 1, 1, 2, 3, 4, 5, 6}) {
            ring.record(depth, 10 * value, value);
        }
        List<String> taken = new ArrayList<>();
        SampleConsumer consumer = consumer(taken);

        assertThat(ring.drain(List.of(consumer))).isEqualTo(4);
        assertThat(taken).containsExactly("10 depth 1", "20 depth 2", "30 depth 3", "40 depth 4");
        assertThat(ring.lost()).isEqualTo(2);
        assertThat(ring.drain(List.of(consumer))).isZero();
    }

    @Test
    void shouldNotAllocatePerSample() {
        SampleRing ring = new SampleRing(1_024);
        SampleConsumer nobody = consumer(List.of());
        List<SampleConsumer> none = List.of();
        long[] value = {0};
        assertThat(Allocations.bytesOf(10_000, () -> {
                    ring.record(depth, value[0], value[0]++);
                    if (value[0] % 512 == 0) {
                        ring.drain(none);
                    }
                }))
                .isZero();
        nobody.close();
    }

    @Test
    void shouldWriteCompressedRowsUpToTheBound() throws IOException {
        Path file = directory.resolve("samples.csv.gz");
        try (SampleWriter writer = SampleWriter.create(file, 2)) {
            for (int i = 0; i < 5; i++) {
                writer.onSample(i, depth, 7L * i);
            }
            assertThat(writer.rows()).isEqualTo(2);
            assertThat(writer.suppressed()).isEqualTo(3);
        }
        assertThat(lines(file)).containsExactly("time_ns,series,value", "0,depth,0", "1,depth,7");
    }

    /** In a directory that others made, each of its names may lead to a file of ours. */
    @Test
    void shouldWriteAWindowThroughNoLink(@TempDir Path own) throws IOException {
        Path victim = Files.writeString(own.resolve("victim"), "mine");
        for (String name : List.of(IncidentRecorder.SAMPLES, IncidentRecorder.TIMELINE)) {
            Files.createSymbolicLink(directory.resolve(name), victim);
        }
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        recorder.onEvent(TimelineEvent.of(
                20 * SECOND,
                TimelineEventType.NAK_SENT,
                "mds",
                Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
        recorder.onProgress(20 * SECOND);
        recorder.close();

        assertThat(victim).hasContent("mine");
        assertThat(recorder.unwritten()).hasSize(2);
    }

    @Test
    void shouldRecordInNoDirectoryThatOthersCanWrite() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> WindowDirectories.of(directory, 1))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("other users can write to " + directory);
    }

    @Test
    void shouldWriteTheWindowAroundATripAndThenNothing() throws IOException {
        List<String> hooked = new ArrayList<>();
        WindowListener hook = (where, from, to) -> hooked.add(from / SECOND + ".." + to / SECOND);
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        recorder.addHook(hook);
        recorder.onSample(SECOND, steady, 42);
        for (int second = 1; second <= 30; second++) {
            recorder.onSample(second * SECOND, depth, second);
            if (second == 20) {
                recorder.onEvent(TimelineEvent.of(
                        second * SECOND,
                        TimelineEventType.NAK_SENT,
                        "mds",
                        Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
            }
            recorder.onProgress(second * SECOND);
        }
        recorder.close();

        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WRITTEN);
        assertThat(hooked).containsExactly("15..21");
        assertThat(lines(directory.resolve("window-samples.csv.gz")))
                .contains("15000000000,steady,42", "15000000000,depth,14", "21000000000,depth,21")
                .doesNotContain("22000000000,depth,22", "14000000000,depth,14")
                .hasSize(1 + 2 + 7);
        assertThat(TimelineReader.read(directory.resolve("window-timeline.jsonl")))
                .hasSize(1);
    }

    @Test
    void shouldWriteAsManyWindowsAsAskedFor() throws IOException {
        IncidentRecorder recorder = IncidentRecorder.untilDrained(WindowDirectories.of(directory.resolve("hunt"), 2));
        for (int second = 1; second <= 60; second++) {
            if (second % 10 == 0) {
                recorder.onEvent(TimelineEvent.of(
                        second * SECOND,
                        TimelineEventType.NAK_SENT,
                        "mds",
                        Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
            }
            recorder.onProgress(second * SECOND);
        }
        recorder.close();

        assertThat(recorder.windows())
                .extracting(window -> window.trip().timeNs() / SECOND)
                .containsExactly(10L, 20L);
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WRITTEN);
        assertThat(directory.resolve("hunt/1/window-timeline.jsonl")).isNotEmptyFile();
        assertThat(directory.resolve("hunt/2/window-timeline.jsonl")).isNotEmptyFile();
        assertThat(directory.resolve("hunt/3")).doesNotExist();
    }

    /** A window waits for late events before it is written; what matters may come in that time. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldWriteAWindowOfWhatCameWhileAnotherWaited(boolean isClosedEarly) {
        IncidentRecorder recorder = IncidentRecorder.untilDrained(WindowDirectories.of(directory.resolve("hunt"), 5));
        rise(recorder, 10 * SECOND, TimelineEventType.SOCKET_DEPTH_RISE);
        rise(recorder, 10 * SECOND + 1, TimelineEventType.SOCKET_DRAINED);
        recorder.onProgress(10 * SECOND);
        rise(recorder, 12 * SECOND, TimelineEventType.SOCKET_DEPTH_RISE);
        rise(recorder, 14 * SECOND, TimelineEventType.SOCKET_DRAINED);
        if (isClosedEarly) {
            recorder.close();
        } else {
            for (int second = 12; second <= 30; second++) {
                recorder.onProgress(second * SECOND);
            }
        }

        assertThat(recorder.windows())
                .extracting(IncidentRecorder.Window::interval)
                .containsExactly(new Interval(5 * SECOND, 11 * SECOND + 1), new Interval(7 * SECOND, 15 * SECOND));
    }

    private static void rise(IncidentRecorder recorder, long timeNs, TimelineEventType type) {
        recorder.onEvent(TimelineEvent.of(timeNs, type, "receiver", Samples.whole(type.form(), Map.of("inode", 7L))));
    }

    @Test
    void shouldEndTheWindowWhenTheSocketHasDrained() {
        IncidentRecorder recorder = IncidentRecorder.untilDrained(WindowDirectories.of(directory.resolve("hunt"), 1));
        recorder.onEvent(TimelineEvent.of(
                10 * SECOND,
                TimelineEventType.SOCKET_DEPTH_RISE,
                "receiver",
                Samples.whole(TimelineEventType.SOCKET_DEPTH_RISE.form(), Map.of("inode", 7L))));
        for (int second = 10; second <= 20; second++) {
            if (second == 17) {
                recorder.onEvent(TimelineEvent.of(
                        17 * SECOND,
                        TimelineEventType.SOCKET_DRAINED,
                        "receiver",
                        Samples.whole(TimelineEventType.SOCKET_DRAINED.form(), Map.of("inode", 7L))));
            }
            recorder.onProgress(second * SECOND);
            assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.TRIPPED);
        }
        recorder.onProgress(21 * SECOND);

        assertThat(recorder.windows()).singleElement().satisfies(window -> assertThat(window.interval())
                .isEqualTo(new Interval(5 * SECOND, 18 * SECOND)));
    }

    @Test
    void shouldNotWaitForASocketThatIsNeverReadAgain() {
        IncidentRecorder recorder = IncidentRecorder.untilDrained(WindowDirectories.of(directory.resolve("hunt"), 1));
        recorder.onEvent(TimelineEvent.of(
                10 * SECOND,
                TimelineEventType.SOCKET_DEPTH_RISE,
                "receiver",
                Samples.whole(TimelineEventType.SOCKET_DEPTH_RISE.form(), Map.of("inode", 7L))));
        for (int second = 10; second <= 20; second++) {
            recorder.onProgress(second * SECOND);
        }
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.TRIPPED);
        recorder.onProgress(21 * SECOND);

        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WRITTEN);
    }

    @Test
    void shouldRefuseADirectoryThatHoldsAWindow() throws IOException {
        Files.writeString(directory.resolve("window-timeline.jsonl"), "");

        assertThatThrownBy(() -> WindowDirectories.of(directory, 1))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("holds a window already");
    }

    @Test
    void shouldNotBeTrippedByWhatHappenedBeforeItWasArmed() throws IOException {
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        recorder.armFrom(20 * SECOND);
        recorder.onEvent(TimelineEvent.of(
                19 * SECOND,
                TimelineEventType.NAK_SENT,
                "mds",
                Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
        recorder.onProgress(19 * SECOND);
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WATCHING);
        recorder.onEvent(TimelineEvent.of(
                20 * SECOND,
                TimelineEventType.NAK_SENT,
                "mds",
                Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
        recorder.onProgress(20 * SECOND);
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.TRIPPED);
        recorder.close();

        assertThat(TimelineReader.read(directory.resolve("window-timeline.jsonl")))
                .extracting(TimelineEvent::timeNs)
                .containsExactly(19 * SECOND, 20 * SECOND);
    }

    @Test
    void shouldNotBeTrippedByWhatHappensAfterItsEnd() {
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        recorder.finish(20 * SECOND);
        recorder.onEvent(TimelineEvent.of(20 * SECOND + 1, TimelineEventType.STALL_BEGAN, "mds", Map.of()));
        recorder.onProgress(21 * SECOND);
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WATCHING);
        recorder.onEvent(TimelineEvent.of(
                20 * SECOND,
                TimelineEventType.NAK_SENT,
                "mds",
                Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
        recorder.onProgress(21 * SECOND);
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.TRIPPED);
    }

    @Test
    void shouldHaveLateEventsInTheWindowByTime() throws IOException {
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        for (long second : new long[] {20, 21, 18, 27, 14}) {
            recorder.onEvent(TimelineEvent.of(
                    second * SECOND,
                    TimelineEventType.NAK_SENT,
                    "mds",
                    Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
            recorder.onProgress(20 * SECOND);
        }
        recorder.onProgress(21 * SECOND + IncidentRecorder.LATE_NS);
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.TRIPPED);
        recorder.onEvent(TimelineEvent.of(
                19 * SECOND,
                TimelineEventType.GC_PAUSE,
                "mds",
                Samples.whole(TimelineEventType.GC_PAUSE.form(), Map.of())));
        recorder.onProgress(21 * SECOND + IncidentRecorder.LATE_NS + 1);

        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WRITTEN);
        assertThat(recorder.trip())
                .hasValueSatisfying(trip -> assertThat(trip.timeNs()).isEqualTo(20 * SECOND));
        assertThat(TimelineReader.read(directory.resolve("window-timeline.jsonl")))
                .extracting(TimelineEvent::timeNs)
                .containsExactly(18 * SECOND, 19 * SECOND, 20 * SECOND, 21 * SECOND);
    }

    @Test
    void shouldHaveAStallInTheWindowHoweverLateItIsTold() throws IOException {
        AtomicLong toldNs = new AtomicLong(20 * SECOND);
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        recorder.waitFor(nowNs -> toldNs.get());
        recorder.onEvent(TimelineEvent.of(
                20 * SECOND,
                TimelineEventType.NAK_SENT,
                "mds",
                Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
        recorder.onProgress(30 * SECOND);
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.TRIPPED);
        recorder.onEvent(TimelineEvent.of(19 * SECOND, TimelineEventType.STALL, "mds", Map.of()));
        toldNs.set(21 * SECOND);
        recorder.onProgress(31 * SECOND);

        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WRITTEN);
        assertThat(TimelineReader.read(directory.resolve("window-timeline.jsonl")))
                .extracting(TimelineEvent::type)
                .containsExactly(TimelineEventType.STALL, TimelineEventType.NAK_SENT);
    }

    @Test
    void shouldNameTheHookThatHasNothingOfTheWindowAndAskTheOthers() {
        List<String> hooked = new ArrayList<>();
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        recorder.addHook((into, fromNs, toNs) -> {
            throw new DetectException("no stacks");
        });
        recorder.addHook((into, fromNs, toNs) -> hooked.add("asked"));
        recorder.onEvent(TimelineEvent.of(
                SECOND, TimelineEventType.NAK_SENT, "mds", Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of())));
        recorder.close();

        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WRITTEN);
        assertThat(recorder.missing()).containsExactly("no stacks");
        assertThat(hooked).containsExactly("asked");
    }

    @Test
    void shouldWriteNothingWhenNothingTrips() throws IOException {
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        for (int second = 1; second <= 30; second++) {
            recorder.onSample(second * SECOND, depth, second);
            recorder.onEvent(TimelineEvent.of(
                    second * SECOND,
                    TimelineEventType.GC_PAUSE,
                    "mds",
                    Samples.whole(TimelineEventType.GC_PAUSE.form(), Map.of())));
            recorder.onProgress(second * SECOND);
        }
        recorder.close();

        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WATCHING);
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void shouldKeepTheLatestSamplesAndWhatHeldBefore() {
        SampleHistory history = new SampleHistory(4);
        history.add(1, steady, 9);
        for (int i = 2; i <= 8; i++) {
            history.add(i, depth, i);
        }
        List<String> window = new ArrayList<>();
        history.write(7, 7, consumer(window));

        assertThat(window).containsExactlyInAnyOrder("7 steady 9", "7 depth 6", "7 depth 7");
    }

    private static SampleConsumer consumer(List<String> taken) {
        return new SampleConsumer() {
            @Override
            public void onSample(long timeNs, Series series, long value) {
                taken.add(timeNs + " " + series + " " + value);
            }

            @Override
            public void close() {}
        };
    }

    private static List<String> lines(Path file) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }
}
