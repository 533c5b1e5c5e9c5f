package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalVerifier;
import org.naklab.lab.core.Json;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;
import org.naklab.testing.Live;
import org.naklab.testing.host.FreePorts;

/** Somebody on the feed's group sends noise, forged sessions and a forged frame ahead: nothing is lost, and the run proves nothing. */
@Live(runs = 1)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class ForeignTrafficScenario {
    private static final int NOISE = 200;
    private static final int SETUPS = 200;
    private static final int HEADER_BYTES = 32;
    private static final int TERM_OFFSET = 8;

    private final SplittableRandom random = new SplittableRandom(42);

    @TempDir
    private Path directory;

    @Test
    void shouldDoubtARunThatAnOutsiderSendsTo() throws IOException {
        int port = FreePorts.pair();
        TopicChannels channels = TopicChannels.onLoopback(port);
        try (NaklabProcess naklab = NaklabProcess.command(
                directory,
                "run",
                "baseline",
                "--port",
                String.valueOf(port),
                "--runs",
                directory.resolve("runs").toString(),
                "--rate",
                "1000",
                "--duration",
                "4")) {
            naklab.awaitFlow();
            attack(channels);
            NaklabOutcome outcome = naklab.outcome();
            ReplayedCase.assertSame(NaklabProcess.latest(directory));
            JsonNode run =
                    Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("run.json")));
            assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(2);
            assertThat(run.path("verdict").asText()).isEqualTo("unknown");
            assertDoubted(run, "mds");
            assertDoubted(run, "gateway-1");
            JsonNode messages = run.path("messages");
            assertThat(messages.path("missing").asLong()).isZero();
            assertThat(messages.path("received").asLong())
                    .isEqualTo(messages.path("published").asLong())
                    .isPositive();
            for (JsonNode subscriber : run.path("subscribers")) {
                assertThat(subscriber.path("feedId").asText())
                        .isEqualTo(run.path("exchange").path("feedId").asText())
                        .hasSize(16);
            }
            assertThat(JournalVerifier.verify(NaklabProcess.latest(directory).resolve("journal"))
                            .passed())
                    .isTrue();
        }
    }

    private static void assertDoubted(JsonNode run, String process) {
        assertThat(run.path("conditions")).anySatisfy(condition -> {
            assertThat(condition.path("claim").asText()).isEqualTo("no foreign traffic at " + process);
            assertThat(condition.path("verdict").asText()).isEqualToIgnoringCase("unknown");
            // The setups, and the frame ahead.
            assertThat(condition.path("figures").asText())
                    .contains((SETUPS + 1) + " foreign datagrams", NOISE + " invalid datagrams");
        });
    }

    private void attack(TopicChannels channels) throws IOException {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        InetAddress address = InetAddress.getByName(channels.group(Topic.ORDER_BOOK_EVENTS));
        InetSocketAddress group = new InetSocketAddress(address, channels.port(Topic.ORDER_BOOK_EVENTS));
        try (DatagramChannel listener = DatagramChannel.open(StandardProtocolFamily.INET);
                DatagramChannel sender = DatagramChannel.open(StandardProtocolFamily.INET)) {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(group);
            listener.join(address, loopback);
            sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            sender.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 0);
            ByteBuffer genuine = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
            do {
                genuine.clear();
                listener.receive(genuine);
            } while (genuine.position() <= HEADER_BYTES + Long.BYTES);
            sender.send(ahead(genuine), group);
            for (int i = 0; i < NOISE; i++) {
                byte[] noise = new byte[random.nextInt(1, 200)];
                random.nextBytes(noise);
                sender.send(ByteBuffer.wrap(noise), group);
            }
            for (int i = 0; i < SETUPS; i++) {
                sender.send(setup(random.nextInt()), group);
            }
        }
    }

    /** In the same session, stream and feed: 64 KiB ahead. */
    private static ByteBuffer ahead(ByteBuffer genuine) {
        ByteBuffer forged = ByteBuffer.allocate(2 * HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        forged.put(0, genuine, 0, HEADER_BYTES);
        forged.putInt(0, 48).putInt(TERM_OFFSET, genuine.getInt(TERM_OFFSET) + (64 << 10));
        return forged.clear();
    }

    private static ByteBuffer setup(int sessionId) {
        ByteBuffer forged = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        int version = 0;
        int setupType = 5;
        forged.putInt(40).put((byte) version).put((byte) 0).putShort((short) setupType);
        forged.putInt(0).putInt(sessionId).putInt(Topic.ORDER_BOOK_EVENTS.streamId());
        forged.putInt(0).putInt(0).putInt(1 << 16).putInt(1408).putInt(0);
        return forged.flip();
    }
}
