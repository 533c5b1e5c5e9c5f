package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
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

/**
 * The times in the events against those of a capture, which knows nothing of them: the time at which the kernel saw the packet lies between
 * the time at which the exchange says that it sent the event and the time at which the service says that it received it.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class WireTimesScenario {
    private static final int AERON_HEADER_BYTES = 32;
    private static final int SEQUENCED_TEMPLATES = 6;
    private static final int LEAST_PACKETS = 1_000;

    /** The clocks are read one after the other, and the wall clock may be slewed during the run. */
    private static final long CLOCK_ERROR_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long MEDIAN_ERROR_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final Pattern PORT = Pattern.compile("multicast +[0-9.]+:([0-9]+)");

    @TempDir
    private Path directory;

    /** The times of an event that was the first one of its packet, ns since 1970. */
    private record Times(long sequence, long sentNs, long wireNs, long receivedNs) {}

    @BeforeEach
    void assumePossible() {
        IsolatedCapture.assumePossible();
    }

    @Test
    void shouldHaveBeenOnTheWireBetweenSentAndReceived() throws Exception {
        List<Times> times = new ArrayList<>();
        try (IsolatedCapture capture = IsolatedCapture.start(directory)) {
            int port = run(capture);
            assertThat(capture.finish()).containsPattern("lo': [0-9]+/0 ");
            times.addAll(times(capture, port));
        }

        assertThat(times).hasSizeGreaterThan(LEAST_PACKETS).allSatisfy(event -> {
            assertThat(event.wireNs()).isGreaterThan(event.sentNs() - CLOCK_ERROR_NS);
            assertThat(event.receivedNs()).isGreaterThan(event.wireNs() - CLOCK_ERROR_NS);
        });
        assertThat(median(times, event -> event.wireNs() - event.sentNs()))
                .as("median from sent to the wire, ns")
                .isGreaterThan(-MEDIAN_ERROR_NS);
        assertThat(median(times, event -> event.receivedNs() - event.wireNs()))
                .as("median from the wire to received, ns")
                .isGreaterThan(-MEDIAN_ERROR_NS);
    }

    private int run(IsolatedCapture capture) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.runScenario(
                capture.awaitPrefix(), "baseline", directory, "--rate", "1000", "--duration", "2")) {
            assertThat(naklab.awaitExit()).as(naklab.err()).isIn(0, 2);
            Matcher port = PORT.matcher(naklab.err());
            assertThat(port.find()).as(naklab.err()).isTrue();
            return Integer.parseInt(port.group(1));
        }
    }

    private List<Times> times(IsolatedCapture capture, int port) throws IOException {
        Path run = NaklabProcess.latest(directory);
        long epochOffsetNs = Json.read(run.resolve("run.json"), JsonNode.class)
                .path("epochOffsetNs")
                .asLong();
        Map<Long, Long> received = new HashMap<>();
        JournalEntry entry = new JournalEntry();
        try (JournalReader journal = JournalReader.open(run.resolve("journal"))) {
            while (journal.next(entry)) {
                if (!entry.isTrailer()) {
                    received.put(entry.sequence(), entry.receiveTimestampNs());
                }
            }
        }
        List<Times> times = new ArrayList<>();
        for (String[] packet :
                capture.aeronFields(port, "aeron.data && udp.dstport == " + port, "frame.time_epoch", "udp.payload")) {
            UnsafeBuffer payload = new UnsafeBuffer(HexFormat.of().parseHex(packet[1].replace(":", "")));
            Long receivedNs = isEvent(payload) ? received.remove(sequence(payload)) : null;
            // Removed with the first packet: a repeated one was sent later than the event says.
            if (receivedNs != null) {
                times.add(new Times(
                        sequence(payload),
                        EventTimes.sentNs(payload, AERON_HEADER_BYTES) + epochOffsetNs,
                        new BigDecimal(packet[0]).movePointRight(9).longValue(),
                        receivedNs));
            }
        }
        return times;
    }

    private static boolean isEvent(UnsafeBuffer payload) {
        int template = AERON_HEADER_BYTES + MessageHeaderDecoder.templateIdEncodingOffset();
        return payload.capacity() > AERON_HEADER_BYTES + MessageHeaderDecoder.ENCODED_LENGTH
                && payload.getShort(template, ByteOrder.LITTLE_ENDIAN) <= SEQUENCED_TEMPLATES;
    }

    private static long sequence(UnsafeBuffer payload) {
        return payload.getLong(AERON_HEADER_BYTES + MessageHeaderDecoder.ENCODED_LENGTH, ByteOrder.LITTLE_ENDIAN);
    }

    private static long median(List<Times> times, ToLongFunction<Times> difference) {
        return times.stream()
                .mapToLong(difference)
                .sorted()
                .skip(times.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
