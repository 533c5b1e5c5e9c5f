package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.testing.Matrix;

/**
 * A run of the mystery against two witnesses that know nothing of it: Wireshark's Aeron dissector on a capture of the same run, and the
 * kernel's own count of datagrams that full sockets dropped. Whether the run proves its cause is not asked here; it must lose something.
 */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class TsharkWitnessScenario {
    private static final int ATTEMPTS = 3;
    private static final int FRAME_ALIGNMENT = 32;
    /** The instrument samples at 1 kHz; a busy machine keeps the sampler from it for a scheduler's slice or two. */
    private static final double NAK_TOLERANCE_MS = 25;

    /** Column of a data frame's length. */
    private static final int LENGTH = 4;

    private static final Pattern PORT = Pattern.compile("multicast +[0-9.]+:([0-9]+)");

    @TempDir
    private Path directory;

    /** A run's port and document, and how far the kernel's count of drops went up during it. */
    private record Run(int port, JsonNode document, long receiveBufferErrors) {}

    /** A place in a stream, as NAKs and data name it. */
    private record Place(String session, String stream, String term, long offset) {}

    /** What the wire shows to have been sent again. */
    private record Repeats(long bytes, Set<Place> places) {}

    @BeforeEach
    void assumePossible() {
        IsolatedCapture.assumePossible();
    }

    @Test
    void shouldAgreeWithTsharkAndTheKernel() throws Exception {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (IsolatedCapture capture = IsolatedCapture.start(directory)) {
                Run run = run(capture);
                if (run.document().path("naks").asLong() > 0) {
                    assertThat(capture.finish()).containsPattern("lo': [0-9]+/0 ");
                    assertAgreement(run, capture);
                    return;
                }
            }
        }
        throw new AssertionError("none of " + ATTEMPTS + " runs of the mystery lost anything");
    }

    private void assertAgreement(Run run, IsolatedCapture capture) throws IOException {
        List<String[]> naks = capture.aeronFields(
                run.port(),
                "aeron.nak",
                "frame.time_epoch",
                "aeron.nak.session_id",
                "aeron.nak.stream_id",
                "aeron.nak.term_id",
                "aeron.nak.term_offset");
        assertThat(naks).hasSize(run.document().path("naks").asInt());
        assertThat((firstNakNs() - monotonicNs(naks.get(0)[0])) / 1e6)
                .as("first NAK on the timeline after that on the wire, in ms")
                .isBetween(-NAK_TOLERANCE_MS, NAK_TOLERANCE_MS);

        Repeats repeats = repeats(run, capture);
        assertThat(repeats.bytes())
                .isEqualTo(exchangeTransport().path("retransmittedBytes").asLong());
        long answered = naks.stream()
                .map(nak -> new Place(nak[1], nak[2], nak[3], Long.parseLong(nak[4])))
                .filter(repeats.places()::contains)
                .count();
        assertThat(answered)
                .isEqualTo(run.document().path("retransmits").asLong())
                .isPositive();
        assertThat(run.receiveBufferErrors())
                .isEqualTo(run.document().path("datagramsDropped").asLong());
    }

    /** The planning fills sockets on purpose, to learn the kernel's accounting; the count begins after it. */
    private Run run(IsolatedCapture capture) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.runScenario(
                capture.awaitPrefix(), "mystery", directory, "--fidelity", "audited", "--json")) {
            naklab.await(
                    "the service",
                    () -> naklab.err().contains("  pid ") || !naklab.handle().isAlive());
            long before = capture.receiveBufferErrors();
            naklab.awaitExit();
            Matcher port = PORT.matcher(naklab.err());
            assertThat(port.find()).as(naklab.err()).isTrue();
            return new Run(
                    Integer.parseInt(port.group(1)), Json.parse(naklab.out()), capture.receiveBufferErrors() - before);
        }
    }

    /** Heartbeats are data frames of no length, sent again and again at one place. */
    private static Repeats repeats(Run run, IsolatedCapture capture) throws IOException {
        List<String[]> packets = capture.aeronFields(
                run.port(),
                "aeron.data && udp.dstport == " + run.port(),
                "aeron.data.session_id",
                "aeron.data.stream_id",
                "aeron.data.term_id",
                "aeron.data.term_offset",
                "aeron.data.frame_length");
        Set<Place> sent = new HashSet<>();
        Set<Place> repeated = new HashSet<>();
        long bytes = 0;
        for (String[] packet : packets) {
            String[][] frames =
                    Arrays.stream(packet).map(field -> field.split(",", -1)).toArray(String[][]::new);
            for (int i = 0; i < frames[LENGTH].length; i++) {
                long length = Long.parseLong(frames[LENGTH][i]);
                Place place = new Place(frames[0][i], frames[1][i], frames[2][i], Long.parseLong(frames[3][i]));
                if (length > 0 && !sent.add(place)) {
                    repeated.add(place);
                    bytes += (length + FRAME_ALIGNMENT - 1) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
                }
            }
        }
        return new Repeats(bytes, repeated);
    }

    private long firstNakNs() throws IOException {
        return TimelineReader.read(NaklabProcess.latest(directory).resolve("timeline.jsonl")).stream()
                .filter(event -> event.type() == TimelineEventType.NAK_SENT)
                .mapToLong(TimelineEvent::timeNs)
                .min()
                .orElseThrow();
    }

    private JsonNode exchangeTransport() {
        Path file = NaklabProcess.latest(directory).resolve("run.json");
        return Json.read(file, JsonNode.class).path("exchange").path("transport");
    }

    /** A capture's time on the timeline's clock. */
    private static long monotonicNs(String epochSeconds) {
        return new BigDecimal(epochSeconds).movePointRight(9).longValue()
                - MonotonicConverter.ofSystem().epochOffsetNs();
    }
}
