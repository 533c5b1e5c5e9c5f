package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;
import org.naklab.testing.Await;
import org.naklab.testing.Live;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** Somebody outside of the lab costs the feed datagrams: the run tells where they went. */
@Live(runs = 1)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class OutsideLossScenario {
    /** A baseline's first two seconds, or the first fifth of a shorter flow, do not count. */
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(2_500);

    private static final long FIREWALL_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final int BAD_CHECKSUMS = 300;

    /** Sends datagrams whose checksum is wrong, long enough that the sockets check it; arguments: group, port, count. */
    private static final String BAD_SENDER = """
            import socket, struct, sys
            raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
            raw.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton('127.0.0.1'))
            for _ in range(int(sys.argv[3])):
                raw.sendto(struct.pack('!HHHH', 9, int(sys.argv[2]), 208, 0xdead) + bytes(200), (sys.argv[1], 0))
            """;

    @TempDir
    private Path directory;

    private final int port = FreePorts.pair();
    private final String group = TopicChannels.onLoopback(port).group(Topic.ORDER_BOOK_EVENTS);

    /** Something that is done to a run while its events count. */
    private interface Disturbance {
        void make(NaklabProcess naklab) throws IOException;
    }

    @BeforeAll
    static void prepare() {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
    }

    @Test
    @Matrix
    void shouldNameTheFirewallThatDiscardsTheFeed() throws IOException {
        assumeThat(runs("iptables", "--version")).as("iptables is installed").isTrue();
        assumeThat(runs(firewall("--append")))
                .as("iptables has the match 'statistic'")
                .isTrue();
        runs(firewall("--delete"));

        NaklabOutcome outcome = disturb(naklab -> {
            assertThat(runs(firewall("--append"))).isTrue();
            try {
                pause(FIREWALL_NS);
            } finally {
                runs(firewall("--delete"));
            }
        });

        JsonNode diagnosis = diagnosis();
        assertThat(discarded("NETFILTER_DROP")).as(outcome.out()).isPositive();
        assertThat(diagnosis.path("cause").asText()).as(diagnosis.toString()).isEqualTo("network-loss");
        assertThat(diagnosis.path("evidence").toString())
                .contains("this host's firewall discarded", "NETFILTER_DROP in ", "looked at: ")
                .doesNotContain("not looked at", "never reached");
        assertThat(diagnosis.path("remedy").asText()).contains("NETFILTER_DROP");
    }

    @Test
    @Matrix
    void shouldNotCallBadChecksumsAFullSocket() throws IOException {
        assumeThat(runs("python3", "-c", "import socket"))
                .as("python3 is installed")
                .isTrue();
        NaklabOutcome outcome = disturb(naklab -> assertThat(
                        runs("python3", "-c", BAD_SENDER, group, String.valueOf(port), String.valueOf(BAD_CHECKSUMS)))
                .isTrue());

        assertThat(discarded("UDP_CSUM")).isGreaterThanOrEqualTo(BAD_CHECKSUMS);
        JsonNode run = Json.parse(Files.readString(run().resolve("run.json")));
        assertThat(run.path("naks").asLong()).as("losses of the feed itself").isZero();
        assertThat(outcome.out()).contains("dropped because of a bad checksum").doesNotContain("full socket");
    }

    @Test
    void shouldReportThatTheSenderStoodStill() throws IOException {
        disturb(naklab -> {
            ProcessHandle exchange = naklab.child("exchange");
            naklab.signal("STOP", exchange);
            try {
                pause(PAUSE_NS);
            } finally {
                naklab.signal("CONT", exchange);
            }
        });

        assertThat(events(TimelineEventType.FEED_SILENT))
                .filteredOn(event -> event.durationNs() >= PAUSE_NS / 2)
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.process()).isEqualTo("exchange");
                    assertThat(event.textDetail("senderState")).isEqualTo("stopped");
                    assertThat(event.textDetail("senderThread")).isEqualTo("exchange-context");
                    assertThat(event.textDetail("receivers")).contains("mds", "gateway-1");
                    assertThat(event.longDetail("port", 0)).isEqualTo(port);
                });
        assertThat(Json.parse(Files.readString(run().resolve("run.json"))).path("stalls"))
                .filteredOn(stall -> stall.path("process").asText().equals("exchange")
                        && stall.path("durationMs").asDouble() >= PAUSE_NS / 2e6)
                .isNotEmpty()
                .allSatisfy(stall -> {
                    assertThat(stall.path("cause").asText()).isEqualTo("process-paused");
                    assertThat(stall.at("/account/0/kind").asText()).isEqualTo("stopped");
                });
    }

    private NaklabOutcome disturb(Disturbance disturbance) throws IOException {
        try (NaklabProcess naklab =
                NaklabProcess.runOn(port, directory, "--verbose", "--rate", "5000", "--duration", "8")) {
            naklab.awaitFlow();
            pause(WARM_UP_NS);
            disturbance.make(naklab);
            NaklabOutcome outcome = naklab.outcome();
            ReplayedCase.assertSame(run());
            return outcome;
        }
    }

    /** What is awaited is the time itself: that of a disturbance, or the end of the warm-up. */
    private static void pause(long lengthNs) {
        long beginNs = System.nanoTime();
        Await.until("the time", () -> System.nanoTime() - beginNs >= lengthNs);
    }

    private String[] firewall(String change) {
        List<String> command = new ArrayList<>(List.of("iptables", "--wait", change, "INPUT"));
        command.addAll(List.of("--protocol", "udp", "--destination", group, "--dport", String.valueOf(port)));
        command.addAll(List.of("--match", "statistic", "--mode", "nth", "--every", "50", "--packet", "0"));
        command.addAll(List.of("--jump", "DROP"));
        return command.toArray(String[]::new);
    }

    private Path run() {
        return NaklabProcess.latest(directory);
    }

    private JsonNode diagnosis() throws IOException {
        return Json.parse(Files.readString(run().resolve("diagnosis.json")));
    }

    private long discarded(String reason) {
        return events(TimelineEventType.DATAGRAMS_DISCARDED).stream()
                .filter(event -> event.textDetail("reason").equals(reason) && event.longDetail("port", 0) == port)
                .mapToLong(event -> event.longDetail("count", 0))
                .sum();
    }

    private List<TimelineEvent> events(TimelineEventType type) {
        return TimelineReader.read(run().resolve("timeline.jsonl")).stream()
                .filter(event -> event.type() == type)
                .toList();
    }

    private static boolean runs(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notInstalled) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
