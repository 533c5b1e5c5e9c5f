package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.instruments.capture.FeedCapture;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.CapturedDatagrams;

/** The capture of a run has the feed as the receivers of the run recorded it, byte for byte, and from one reading of the lab to the next. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class CaptureScenario {
    private static final Pattern PORT = Pattern.compile("multicast +[0-9.]+:([0-9]+)");

    /** From here on a thread that does not receive is stalled; a reading of the lab may be as late. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int FRAME_ALIGNMENT = 32;
    private static final int PADDING = 0;
    private static final int DATA = 1;

    @TempDir
    private Path directory;

    @BeforeEach
    void assumePossible() {
        assumeThat(FeedCapture.obstacle("127.0.0.1")).isEmpty();
    }

    @Test
    void shouldHaveTheBytesThatTheLabRecorded() throws IOException {
        NaklabOutcome outcome = LiveRun.make("CaptureScenario", this::run);
        Path run = NaklabProcess.latest(directory);
        Wire wire = Wire.of(CapturedDatagrams.read(run.resolve(FeedCapture.NAME)), portOf(outcome), epochOffsetNs(run));
        NavigableMap<Long, Long> recorded = recorded(run, wire.stream());
        List<Interval> stalls = stalls(run);

        assertThat(recorded).hasSizeGreaterThan(20);
        assertThat(wire.positions().lastEntry().getValue())
                .isPositive()
                .isEqualTo(recorded.lastEntry().getValue());
        assertThat(recorded).allSatisfy((timeNs, position) -> {
            assertThat(position).as("at " + timeNs).isLessThanOrEqualTo(wire.at(timeNs + LATE_NS));
            if (stalls.stream().noneMatch(new Interval(timeNs - LATE_NS, timeNs)::overlaps)) {
                assertThat(position).as("at " + timeNs).isGreaterThanOrEqualTo(wire.at(timeNs - LATE_NS));
            }
        });
        assertThat(Files.readString(run.resolve("run.json"))).contains(" captured, 0 missed");
    }

    private NaklabOutcome run() {
        try (NaklabProcess naklab =
                NaklabProcess.run(directory, "--verbose", "--capture", "--rate", "2000", "--duration", "5")) {
            NaklabOutcome outcome = naklab.outcome();
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            return outcome;
        }
    }

    private static int portOf(NaklabOutcome outcome) {
        Matcher port = PORT.matcher(outcome.err());
        assertThat(port.find()).as(outcome.err()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    private static long epochOffsetNs(Path run) {
        return Json.read(run.resolve("run.json"), JsonNode.class)
                .path("epochOffsetNs")
                .asLong();
    }

    /** Returns how far the furthest receiver was at each reading, bytes; times on the monotonic clock. */
    private static NavigableMap<Long, Long> recorded(Path run, String stream) throws IOException {
        NavigableMap<Long, Long> furthest = new TreeMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(run.resolve("samples.csv.gz"))), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = line.split(",", -1);
                SeriesName series = SeriesName.of(cells[1]);
                if (series.is(SeriesSource.AERON, "highestPositionBytes")
                        && series.subject().equals(stream)) {
                    furthest.merge(Long.parseLong(cells[0]), Long.parseLong(cells[2]), Math::max);
                }
            }
        }
        long highest = 0;
        for (Map.Entry<Long, Long> reading : furthest.entrySet()) {
            highest = Math.max(highest, reading.getValue());
            reading.setValue(highest);
        }
        return furthest;
    }

    private static List<Interval> stalls(Path run) throws IOException {
        return TimelineReader.read(run.resolve("timeline.jsonl")).stream()
                .filter(event -> event.type() == TimelineEventType.STALL)
                .map(TimelineEvent::interval)
                .toList();
    }

    /**
     * Tells how far the feed had come on the wire at each time.
     *
     * @param stream as the name of a series has it
     * @param positions bytes of the stream, by the time on the monotonic clock
     */
    private record Wire(String stream, NavigableMap<Long, Long> positions) {
        /** The header of a frame: length 0, type 6, term offset 8, session 12, stream 16, term 20. */
        static Wire of(List<CapturedDatagrams.Datagram> captured, int port, long epochOffsetNs) {
            String group = TopicChannels.onLoopback(port).group(Topic.ORDER_BOOK_EVENTS);
            NavigableMap<Long, Long> positions = new TreeMap<>();
            String stream = "";
            int term = 0;
            long before = 0;
            long highest = 0;
            for (CapturedDatagrams.Datagram datagram : captured) {
                int type = datagram.kept().getShort(6);
                if (datagram.port() != port || !datagram.group().equals(group) || type > DATA) {
                    continue;
                }
                if (stream.isEmpty()) {
                    term = datagram.kept().getInt(20);
                    stream = "stream" + datagram.kept().getInt(16) + ".session"
                            + datagram.kept().getInt(12);
                }
                if (datagram.kept().getInt(20) - term > 0) {
                    term = datagram.kept().getInt(20);
                    before = highest;
                }
                if (datagram.kept().getInt(20) == term) {
                    highest = Math.max(highest, before + datagram.kept().getInt(8) + length(datagram, type));
                }
                positions.put(datagram.timeNs() - epochOffsetNs, highest);
            }
            return new Wire(stream, positions);
        }

        /** A heartbeat has no length; of padding, only the header is sent. */
        private static long length(CapturedDatagrams.Datagram datagram, int type) {
            long frameBytes = datagram.kept().getInt(0);
            if (type == PADDING) {
                return (frameBytes + FRAME_ALIGNMENT - 1) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
            }
            return frameBytes == 0 ? 0 : datagram.bytes();
        }

        long at(long timeNs) {
            Map.Entry<Long, Long> last = positions.floorEntry(timeNs);
            return last == null ? 0 : last.getValue();
        }
    }
}
