package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.testing.Matrix;

/**
 * The times in the events against those of a capture, which knows nothing of them: the kernel saw no packet before the exchange says that it
 * sent the first event in it, and half of the packets were on the wire within the time after which half of the events were received.
 */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class WireTimesScenario {
    private static final int AERON_HEADER_BYTES = 32;
    private static final int SEQUENCED_TEMPLATES = 6;
    private static final int LEAST_PACKETS = 200;

    /** The distance of the wall clock and the monotonic clock is measured once in a run, on a machine that may be busy. */
    private static final double CLOCK_ERROR_US = 1_000;

    private static final double MEDIAN_ERROR_US = 200;
    /** The feed's thread may lose the CPU for a scheduler's slice or two between the clock and the packet. */
    private static final double SLICES_US = 25_000;

    private static final double NS_PER_US = 1_000;
    private static final Pattern PORT = Pattern.compile("multicast +[0-9.]+:([0-9]+)");

    @TempDir
    private Path directory;

    @BeforeEach
    void assumePossible() {
        IsolatedCapture.assumePossible();
    }

    @Test
    void shouldHaveBeenOnTheWireBetweenSentAndReceived() throws Exception {
        List<Double> sentToWireUs;
        try (IsolatedCapture capture = IsolatedCapture.start(directory)) {
            int port = run(capture);
            assertThat(capture.finish()).containsPattern("lo': [0-9]+/0 ");
            sentToWireUs = sentToWireUs(capture, port);
        }
        double medianUs = sentToWireUs.get(sentToWireUs.size() / 2);

        assertThat(sentToWireUs).hasSizeGreaterThan(LEAST_PACKETS);
        assertThat(sentToWireUs.get(0))
                .as("no packet before it was sent, in us")
                .isGreaterThan(-CLOCK_ERROR_US);
        assertThat(medianUs)
                .as("median from sent to the wire, in us")
                .isBetween(-MEDIAN_ERROR_US, Math.min(SLICES_US, medianSentToReceivedUs() + MEDIAN_ERROR_US));
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

    private double medianSentToReceivedUs() {
        return StreamSupport.stream(record().path("subscribers").spliterator(), false)
                .map(subscriber -> subscriber.path("latency").path("sentToReceived"))
                .mapToDouble(hop -> hop.path("p50Us").asDouble())
                .min()
                .orElseThrow();
    }

    /** Returns the time from sent to the wire of the first event of each packet, in order of length. */
    private List<Double> sentToWireUs(IsolatedCapture capture, int port) throws IOException {
        long epochOffsetNs = record().path("epochOffsetNs").asLong();
        Set<Long> seen = new HashSet<>();
        List<Double> times = new ArrayList<>();
        for (String[] packet :
                capture.aeronFields(port, "aeron.data && udp.dstport == " + port, "frame.time_epoch", "udp.payload")) {
            UnsafeBuffer payload = new UnsafeBuffer(HexFormat.of().parseHex(packet[1].replace(":", "")));
            // A repeated packet was sent later than its events say.
            if (isEvent(payload) && seen.add(sequence(payload))) {
                long wireNs = new BigDecimal(packet[0]).movePointRight(9).longValue() - epochOffsetNs;
                times.add((wireNs - EventTimes.sentNs(payload, AERON_HEADER_BYTES)) / NS_PER_US);
            }
        }
        times.sort(Comparator.naturalOrder());
        return times;
    }

    private JsonNode record() {
        return Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class);
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
