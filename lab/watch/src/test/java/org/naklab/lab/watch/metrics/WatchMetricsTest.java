package org.naklab.lab.watch.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.terminal.MetricsAddress;
import org.naklab.lab.watch.metrics.PrometheusText.Sample;
import org.naklab.testing.Await;
import org.naklab.testing.StopReading;
import org.naklab.testing.events.Samples;
import org.naklab.testing.host.FreePorts;
import picocli.CommandLine.TypeConversionException;

/** Scrapes the metrics of a watch of a program in C, which is stopped by a signal while datagrams arrive and then continued. */
@Timeout(120)
final class WatchMetricsTest {
    private static final String OLD_NAME = "naklab_longest_stall_seconds";
    private static final String GROUP = "239.192.25.11";
    private static final int PORT = FreePorts.pair();
    private static final String PROCESS = "stop-reading";
    private static final Pattern NAME = Pattern.compile("\\bnaklab_[a-z_]+");
    private static final Path DOCS = docs();

    @TempDir
    private Path directory;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final MetricFamilies families = new MetricFamilies(registry);
    private final WatchMetrics metrics = families.process(PROCESS);
    private DatagramChannel sender;
    private StopReading receiver;
    private MetricsServer server;

    @BeforeEach
    void start() throws Exception {
        sender = DatagramChannel.open(StandardProtocolFamily.INET);
        sender.setOption(
                StandardSocketOptions.IP_MULTICAST_IF,
                NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
        sender.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 0);
        receiver = StopReading.start(List.of(), StopReading.compile(directory), GROUP, PORT);
        assertThat(receiver.isReady()).isTrue();
        server = MetricsServer.start(new MetricsAddress("127.0.0.1", 0), List.of("rx.example"), registry, errors::add);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        receiver.close();
        sender.close();
    }

    @Test
    void shouldServeWhatTheKernelCountsOfAReceiverThatStopsAndGoesOn() throws Exception {
        try (Watch watch =
                Watch.attach(String.valueOf(receiver.pid()), receiver.pid(), metrics, List.of(), errors::add)) {
            metrics.observe(watch, receiver.pid());
            signal("STOP");
            Await.until("drops", () -> {
                send(20);
                return value(scrape(), "naklab_socket_dropped_datagrams_total", "group", GROUP) > 0;
            });
            PrometheusText full = scrape();
            assertThat(full.value("naklab_receive_buffer_depth_bytes", "group", GROUP))
                    .isPositive()
                    .isEqualTo(rxQueueBytes());
            signal("CONT");
            Await.until(
                    "the stall", () -> scrape().value("naklab_stalls_total", "cause", WatchMetrics.UNDIAGNOSED) > 0);
            assertThat(scrape().of("naklab_naks_sent_total"))
                    .as("of a program without a media driver nobody counts NAKs")
                    .isEmpty();
            metrics.onEvent(TimelineEvent.of(
                    1,
                    TimelineEventType.NAK_SENT,
                    "7",
                    Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of("naks", 3L))));

            PrometheusText text = scrape();
            assertThat(errors).isEmpty();
            assertConforming(text);
            assertThat(text.value("naklab_receive_buffer_depth_bytes", "group", GROUP))
                    .isZero();
            double limit = text.value("naklab_receive_buffer_limit_bytes", "group", GROUP);
            double rate = text.value("naklab_receive_buffer_arrival_bytes_per_second", "group", GROUP);
            assertThat(limit).isPositive();
            assertThat(rate).isPositive();
            assertThat(text.value("naklab_receive_buffer_headroom_seconds", "group", GROUP))
                    .isCloseTo(limit / rate, withinPercentage(0.1));
            assertThat(text.value("naklab_longest_unread_seconds", "group", GROUP))
                    .isPositive()
                    .isEqualTo(text.value(OLD_NAME, "group", GROUP))
                    .isEqualTo(text.value("naklab_recent_unread_seconds", "group", GROUP));
            assertThat(text.value("naklab_stalls_total", "cause", WatchMetrics.UNDIAGNOSED))
                    .isEqualTo(1);
            assertThat(text.value("naklab_stall_seconds_total", "cause", WatchMetrics.UNDIAGNOSED))
                    .isPositive();
            assertThat(text.value("naklab_naks_sent_total", "process", PROCESS)).isEqualTo(3);
            assertThat(text.value("naklab_namespace_lost_datagrams_total", "reason", "receive-buffer-full"))
                    .isGreaterThanOrEqualTo(text.value("naklab_socket_dropped_datagrams_total", "group", GROUP));
            assertDocumented(text);
        }
    }

    /** A query for the increase of a series does not see what the series begins with. */
    @Test
    void shouldHaveTheStallsOfEachCauseBeforeTheFirst() {
        metrics.leaveStallsToDiagnosis();
        try (Watch watch =
                Watch.attach(String.valueOf(receiver.pid()), receiver.pid(), metrics, List.of(), errors::add)) {
            metrics.observe(watch, receiver.pid());
            for (String name : List.of("naklab_stalls_total", "naklab_stall_seconds_total")) {
                assertThat(scrape().of(name))
                        .hasSize(Cause.values().length)
                        .allMatch(series -> series.value() == 0)
                        .extracting(series -> series.labels().get("cause"))
                        .contains("lock-wait", "cpu-preemption", "cannot-tell");
            }
        }
    }

    @Test
    void shouldCountTheNaksOfADriverBeforeTheFirst(@TempDir Path aeron) {
        long pid = ProcessHandle.current().pid();
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
                        .aeronDirectoryName(aeron.resolve("driver").toString())
                        .threadingMode(ThreadingMode.SHARED)
                        .dirDeleteOnShutdown(true));
                Watch watch = Watch.attach(String.valueOf(pid), pid, metrics, List.of(), errors::add)) {
            metrics.observe(watch, pid);
            assertThat(driver.aeronDirectoryName()).isNotEmpty();
            assertThat(scrape().value("naklab_naks_sent_total", "process", PROCESS))
                    .isZero();
        }
    }

    @Test
    void shouldCountDiagnosedStallsInsteadOfRises() {
        metrics.onStall("lock-wait", 250_000_000);
        metrics.onEvent(TimelineEvent.of(
                9,
                TimelineEventType.SOCKET_DRAINED,
                "7",
                Samples.whole(TimelineEventType.SOCKET_DRAINED.form(), Map.of("durationNs", 260_000_000L))));

        PrometheusText text = scrape();
        assertThat(text.of("naklab_stalls_total")).hasSize(1);
        assertThat(text.value("naklab_stalls_total", "cause", "lock-wait")).isEqualTo(1);
        assertThat(text.value("naklab_stall_seconds_total", "cause", "lock-wait"))
                .isEqualTo(0.25);
    }

    /** Two programs of one name, as two gateways of a host; then one of them is started again. */
    @Test
    void shouldGiveEachProcessOfANameSeriesOfItsOwn() {
        WatchMetrics second = families.process(PROCESS);
        metrics.onStall("lock-wait", 1_000_000);
        second.onStall("lock-wait", 2_000_000);
        second.onStall("lock-wait", 2_000_000);

        assertThat(scrape().value("naklab_stalls_total", "process", PROCESS)).isEqualTo(1);
        assertThat(scrape().value("naklab_stalls_total", "process", PROCESS + " (2)"))
                .isEqualTo(2);
        metrics.end();
        families.process(PROCESS).onStall("lock-wait", 1_000_000);
        assertThat(scrape().value("naklab_stalls_total", "process", PROCESS)).isEqualTo(2);
    }

    @Test
    void shouldBeReachedByItsOwnNamesAndPathOnly() throws IOException {
        metrics.onStall("lock-wait", 1_000_000);
        String honest = "localhost:" + URI.create(server.url()).getPort();
        assertThat(ask("/metrics", honest)).startsWith("HTTP/1.1 200 ").contains("naklab_stalls_total");
        assertThat(ask("/metrics", "rx.example")).startsWith("HTTP/1.1 200 ");
        for (String host : List.of("evil.example.com", "127.0.0.1.evil.example", "2130706433", "")) {
            assertThat(ask("/metrics", host))
                    .matches("(?s)HTTP/1\\.1 4\\d\\d .*")
                    .doesNotContain("naklab_");
        }
        for (String path : List.of("/", "/x", "/metrics/", "/../etc/passwd")) {
            assertThat(ask(path, honest)).matches("(?s)HTTP/1\\.1 40[04] .*").doesNotContain("naklab_");
        }
    }

    /** Many more than it takes at once. */
    @Test
    void shouldAnswerAScrapeWhileHalfRequestsHoldConnections() throws IOException {
        metrics.onStall("lock-wait", 1_000_000);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(server.url()).getPort());
                slow.add(socket);
                socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nX:".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(scrape().types()).isNotEmpty();
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private String ask(String path, String host) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void shouldSayInOneLineThatThePortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            MetricsAddress address = new MetricsAddress("127.0.0.1", taken.getLocalPort());
            assertThatThrownBy(() -> MetricsServer.start(address, List.of(), registry, errors::add))
                    .isInstanceOfSatisfying(LabException.class, refused -> assertThat(refused.kind())
                            .isEqualTo(LabException.Kind.UNAVAILABLE))
                    .hasMessage("--metrics: cannot listen on 127.0.0.1:" + taken.getLocalPort()
                            + ": Address already in use");
        }
    }

    @Test
    void shouldSayInOneLineThatThereIsNoSuchHost() {
        MetricsAddress address = new MetricsAddress("no-such-host.invalid", 0);
        assertThatThrownBy(() -> MetricsServer.start(address, List.of(), registry, errors::add))
                .isInstanceOf(UsageException.class)
                .hasMessage("--metrics: no host is named 'no-such-host.invalid'");
    }

    @Test
    void shouldReadHostAndPort() {
        MetricsAddress.Converter converter = new MetricsAddress.Converter();
        assertThat(converter.convert("localhost:9464")).isEqualTo(new MetricsAddress("localhost", 9464));
        assertThat(converter.convert("[::1]:0")).isEqualTo(new MetricsAddress("::1", 0));
        assertThat(converter.convert("[::1]:0").onPort(7)).isEqualTo("[::1]:7");
        for (String wrong : List.of("", "9464", "localhost", "localhost:", ":9464", "::1:9464", "a b:1", "a:1x")) {
            assertThatThrownBy(() -> converter.convert(wrong))
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessage("'" + wrong + "' is not HOST:PORT, such as 127.0.0.1:9464");
        }
        assertThatThrownBy(() -> converter.convert("localhost:65536")).hasMessageContaining("from 0 to 65535");
    }

    /** Base units, {@code _total} for counters only, help and type of each, and labels whose number is bounded. */
    private static void assertConforming(PrometheusText text) {
        assertThat(text.samples()).isNotEmpty().allSatisfy(sample -> {
            String type = text.types().get(sample.name());
            assertThat(type).as(sample.name()).isIn("gauge", "counter");
            assertThat(text.helps().get(sample.name())).as(sample.name()).isNotBlank();
            assertThat(sample.name().endsWith("_total")).isEqualTo("counter".equals(type));
            assertThat(sample.name()).doesNotContain("_ms", "_ns", "milli", "_kb");
            assertThat(Set.of("process", "group", "reason", "cause"))
                    .containsAll(sample.labels().keySet());
            assertThat(sample.labels()).containsEntry("process", PROCESS);
            assertThat(sample.labels().values()).noneMatch(value -> value.contains(String.valueOf(PORT)));
        });
    }

    /** The dashboard and its page must not name what is not served, and leave nothing out; the dashboard does not draw a figure twice, by its old name. */
    private static void assertDocumented(PrometheusText text) throws IOException {
        JsonNode dashboard = Json.parse(Files.readString(DOCS.resolve("grafana-watch.json")));
        Set<String> drawn = new TreeSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            panel.path("targets").forEach(target -> addNames(target.path("expr").asText(), drawn));
        }
        dashboard
                .at("/templating/list")
                .forEach(variable -> addNames(variable.path("query").asText(), drawn));
        assertThat(drawn).as("the dashboard").doesNotContain(OLD_NAME);
        drawn.add(OLD_NAME);
        assertThat(drawn).as("the dashboard").containsExactlyInAnyOrderElementsOf(text.names());
        Set<String> explained = new TreeSet<>();
        addNames(Files.readString(DOCS.resolve("watch-metrics.md")), explained);
        assertThat(explained).as("watch-metrics.md").containsExactlyInAnyOrderElementsOf(text.names());
    }

    private static void addNames(String text, Set<String> names) {
        Matcher matcher = NAME.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
    }

    private PrometheusText scrape() {
        try {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(server.url())).build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
            return PrometheusText.parse(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns 0 if there is no such series yet. */
    private static double value(PrometheusText text, String name, String label, String value) {
        return text.of(name).stream()
                .filter(sample -> value.equals(sample.labels().get(label)))
                .mapToDouble(Sample::value)
                .sum();
    }

    private void send(int datagrams) {
        try {
            for (int i = 0; i < datagrams; i++) {
                sender.send(ByteBuffer.allocate(100), new InetSocketAddress(GROUP, PORT));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Column rx_queue of the kernel's table, hexadecimal. */
    private static double rxQueueBytes() throws IOException {
        String port = String.format(":%04X ", PORT);
        return Files.readAllLines(Path.of("/proc/net/udp")).stream()
                .filter(line -> line.contains(port))
                .mapToLong(
                        line -> Long.parseLong(line.strip().split("\\s+", -1)[4].split(":", -1)[1], 16))
                .sum();
    }

    private void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(receiver.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private static Path docs() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/how-to"))) {
            directory = Objects.requireNonNull(directory.getParent());
        }
        return directory.resolve("docs/how-to");
    }
}
