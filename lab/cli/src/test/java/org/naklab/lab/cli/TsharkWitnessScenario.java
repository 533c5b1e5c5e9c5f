package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
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
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/**
 * A run of the mystery against two witnesses that know nothing of it: Wireshark's Aeron dissector on a capture of the same run, and the
 * kernel's own count of datagrams that full sockets dropped.
 */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class TsharkWitnessScenario {
    private static final int FRAME_ALIGNMENT = 32;
    /** Column of a data frame's length. */
    private static final int LENGTH = 4;

    private static final Pattern PORT = Pattern.compile("multicast +[0-9.]+:([0-9]+)");

    @TempDir
    private Path directory;

    /**
     * A run and what the witnesses saw.
     *
     * @param receiveBufferErrors how far the kernel's count of drops went up during it
     * @param said what the capture says of itself
     */
    private record Run(
            JsonNode document, long receiveBufferErrors, String said, List<String[]> naks, Repeats repeats) {}

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
        Run run = LiveRun.make("TsharkWitnessScenario", this::run);
        assertThat(run.said()).containsPattern("lo': [0-9]+/0 ");
        assertThat(run.naks())
                .isNotEmpty()
                .hasSize(run.document().path("naks").asInt())
                .hasSize(naksOnTheTimeline());
        assertThat(run.repeats().bytes())
                .isEqualTo(exchangeTransport().path("retransmittedBytes").asLong());
        long answered = run.naks().stream()
                .map(nak -> new Place(nak[0], nak[1], nak[2], Long.parseLong(nak[3])))
                .filter(run.repeats().places()::contains)
                .count();
        assertThat(answered)
                .isEqualTo(run.document().path("retransmits").asLong())
                .isPositive();
        assertThat(run.receiveBufferErrors())
                .isEqualTo(run.document().path("datagramsDropped").asLong());
    }

    /** The planning fills sockets on purpose, to learn the kernel's accounting; the count begins after it. */
    private Run run() throws IOException {
        try (IsolatedCapture capture = IsolatedCapture.start(directory);
                NaklabProcess naklab = NaklabProcess.runScenario(
                        capture.awaitPrefix(), "mystery", directory, "--fidelity", "audited", "--verbose", "--json")) {
            naklab.await(
                    "the service",
                    () -> naklab.err().contains("  pid ") || !naklab.handle().isAlive());
            long before = capture.receiveBufferErrors();
            NaklabOutcome outcome = naklab.outcome();
            Matcher found = PORT.matcher(outcome.err());
            assertThat(found.find()).as(outcome.err()).isTrue();
            int port = Integer.parseInt(found.group(1));
            long receiveBufferErrors = capture.receiveBufferErrors() - before;
            String said = capture.finish();
            List<String[]> naks = capture.aeronFields(
                    port,
                    "aeron.nak",
                    "aeron.nak.session_id",
                    "aeron.nak.stream_id",
                    "aeron.nak.term_id",
                    "aeron.nak.term_offset");
            return new Run(outcome.document(), receiveBufferErrors, said, naks, repeats(port, capture));
        }
    }

    /** Heartbeats are data frames of no length, sent again and again at one place. */
    private static Repeats repeats(int port, IsolatedCapture capture) throws IOException {
        List<String[]> packets = capture.aeronFields(
                port,
                "aeron.data && udp.dstport == " + port,
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

    private int naksOnTheTimeline() throws IOException {
        return (int) TimelineReader.read(NaklabProcess.latest(directory).resolve("timeline.jsonl")).stream()
                .filter(event -> event.type() == TimelineEventType.NAK_SENT)
                .mapToLong(event -> event.longDetail("naks", 0))
                .sum();
    }

    private JsonNode exchangeTransport() {
        Path file = NaklabProcess.latest(directory).resolve("run.json");
        return Json.read(file, JsonNode.class).path("exchange").path("transport");
    }
}
