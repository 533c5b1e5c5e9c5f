package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalEntry;
import org.naklab.journaler.JournalReader;
import org.naklab.lab.core.Json;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.FeedMessages;
import org.naklab.testing.Matrix;

/**
 * The times in the events against those of a capture, which knows nothing of them: the kernel saw no packet before the exchange says that it
 * sent the first event in it, and none after the service says that it received that event.
 */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class WireTimesScenario {
    private static final int AERON_HEADER_BYTES = 32;
    private static final int SEQUENCED_TEMPLATES = 6;

    /** The distance of the wall clock and the monotonic clock is measured once in a run. */
    private static final long CLOCK_ERROR_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Pattern PORT = Pattern.compile("multicast +[0-9.]+:([0-9]+)");

    @TempDir
    private Path directory;

    private String said = "";
    private List<Packet> packets = List.of();

    /** The first event of a packet; times by CLOCK_MONOTONIC. */
    private record Packet(long sequence, long sentNs, long wireNs) {}

    @BeforeEach
    void assumePossible() {
        IsolatedCapture.assumePossible();
    }

    @Test
    void shouldHaveBeenOnTheWireBetweenSentAndReceived() throws Exception {
        NaklabOutcome unused = NaklabOutcome.passed("WireTimesScenario", this::run);
        assertThat(said).containsPattern("lo': [0-9]+/0 ");
        Map<Long, Long> receivedNs = receivedNs();

        assertThat(packets).isNotEmpty().allSatisfy(packet -> {
            assertThat(packet.wireNs() - packet.sentNs())
                    .as("ns from sent to the wire, of event " + packet.sequence())
                    .isGreaterThan(-CLOCK_ERROR_NS);
            assertThat(receivedNs).containsKey(packet.sequence());
            assertThat(receivedNs.getOrDefault(packet.sequence(), 0L) - packet.wireNs())
                    .as("ns from the wire to received, of event " + packet.sequence())
                    .isGreaterThan(-CLOCK_ERROR_NS);
        });
    }

    private NaklabOutcome run() throws IOException {
        try (IsolatedCapture capture = IsolatedCapture.start(directory);
                NaklabProcess naklab = NaklabProcess.runScenario(
                        capture.awaitPrefix(),
                        "baseline",
                        directory,
                        "--verbose",
                        "--rate",
                        "1000",
                        "--duration",
                        "2")) {
            NaklabOutcome outcome = naklab.outcome();
            Matcher port = PORT.matcher(outcome.err());
            assertThat(port.find()).as(outcome.err()).isTrue();
            said = capture.finish();
            packets = packets(capture, Integer.parseInt(port.group(1)));
            return outcome;
        }
    }

    /** Returns when the service received each event, by the journal, on the monotonic clock. */
    private Map<Long, Long> receivedNs() {
        long epochOffsetNs = epochOffsetNs();
        Map<Long, Long> receivedNs = new HashMap<>();
        JournalEntry entry = new JournalEntry();
        try (JournalReader journal =
                JournalReader.open(NaklabProcess.latest(directory).resolve("journal"))) {
            while (journal.next(entry)) {
                if (!entry.isTrailer()) {
                    receivedNs.put(
                            FeedMessages.sequence(entry.message(), 0), entry.receiveTimestampNs() - epochOffsetNs);
                }
            }
        }
        return receivedNs;
    }

    /** Returns the first event of each packet, with the time of the packet on the monotonic clock. */
    private List<Packet> packets(IsolatedCapture capture, int port) throws IOException {
        long epochOffsetNs = epochOffsetNs();
        Set<Long> seen = new HashSet<>();
        List<Packet> first = new ArrayList<>();
        for (String[] packet :
                capture.aeronFields(port, "aeron.data && udp.dstport == " + port, "frame.time_epoch", "udp.payload")) {
            UnsafeBuffer payload = new UnsafeBuffer(HexFormat.of().parseHex(packet[1].replace(":", "")));
            // A repeated packet was sent later than its events say.
            if (isEvent(payload) && seen.add(sequence(payload))) {
                long wireNs = new BigDecimal(packet[0]).movePointRight(9).longValue() - epochOffsetNs;
                first.add(new Packet(sequence(payload), EventTimes.sentNs(payload, AERON_HEADER_BYTES), wireNs));
            }
        }
        return first;
    }

    private long epochOffsetNs() {
        return Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class)
                .path("epochOffsetNs")
                .asLong();
    }

    private static boolean isEvent(UnsafeBuffer payload) {
        int template = AERON_HEADER_BYTES + MessageHeaderDecoder.templateIdEncodingOffset();
        return payload.capacity() > AERON_HEADER_BYTES + MessageHeaderDecoder.ENCODED_LENGTH
                && payload.getShort(template, ByteOrder.LITTLE_ENDIAN) <= SEQUENCED_TEMPLATES;
    }

    private static long sequence(UnsafeBuffer payload) {
        return payload.getLong(AERON_HEADER_BYTES + MessageHeaderDecoder.ENCODED_LENGTH, ByteOrder.LITTLE_ENDIAN);
    }
}
