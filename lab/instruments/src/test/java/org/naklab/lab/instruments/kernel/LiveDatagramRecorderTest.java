package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.instruments.kernel.datagrams.DatagramFlow;
import org.naklab.lab.instruments.linux.NetworkNamespace;
import org.naklab.lab.instruments.sampling.TestSockets;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** What the BPF programs report of datagrams that this process sends to itself. */
@Matrix
@Timeout(120)
class LiveDatagramRecorderTest {
    private static final int DATAGRAMS = 400;
    private static final long GAP_NS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final long SELF = ProcessHandle.current().pid();

    private final RecordLog log = new RecordLog();

    @BeforeAll
    static void prepare() {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"INET, 127.0.0.1", "INET6, ::1"})
    void shouldTellTheSocketThatWasFull(StandardProtocolFamily family, String address) throws IOException {
        try (TestSockets sockets = new TestSockets()) {
            DatagramChannel receiver = bound(sockets, family, address);
            DatagramChannel sender = bound(sockets, family, address);
            receiver.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
            KernelRecorder recorder = start(0);
            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), DATAGRAMS);
            int received = drain(receiver);
            recorder.close();

            int port = TestSockets.port(receiver);
            List<Long> inodes = inodes();
            assertThat(log.of(DatagramRecord.Drops.class))
                    .filteredOn(drops -> drops.flow().port() == port)
                    .isNotEmpty()
                    .allSatisfy(drops -> {
                        assertThat(drops.reason()).isEqualTo("SOCKET_RCVBUFF");
                        assertThat(drops.location()).contains("udp");
                        assertThat(drops.inode()).isIn(inodes);
                        assertFlow(drops.flow(), sender, address);
                    })
                    .extracting(DatagramRecord.Drops::count)
                    .satisfies(counts -> assertThat(
                                    counts.stream().mapToLong(Long::longValue).sum())
                            .isEqualTo(DATAGRAMS - received));
        }
    }

    @ParameterizedTest
    @CsvSource({"INET, 127.0.0.1", "INET6, ::1"})
    void shouldCountArrivalsBySenderAndReportTheGapsBetween(StandardProtocolFamily family, String address)
            throws IOException {
        try (TestSockets sockets = new TestSockets()) {
            DatagramChannel receiver = bound(sockets, family, address);
            DatagramChannel sender = bound(sockets, family, address);
            DatagramChannel other = bound(sockets, family, address);
            InetSocketAddress to = (InetSocketAddress) receiver.getLocalAddress();
            KernelRecorder recorder = start(to.getPort());
            long beginNs = System.nanoTime();
            TestSockets.send(sender, to, 1);
            long sentNs = System.nanoTime();
            Await.until("a gap", () -> System.nanoTime() - sentNs >= GAP_NS);
            TestSockets.send(sender, to, 4);
            TestSockets.send(other, to, 2);
            TestSockets.send(other, (InetSocketAddress) sender.getLocalAddress(), 7);
            recorder.close();

            assertThat(log.of(DatagramRecord.Gap.class)).singleElement().satisfies(gap -> {
                assertThat(gap.interval().lengthNs()).isGreaterThanOrEqualTo(GAP_NS);
                assertThat(gap.beginNs()).isBetween(beginNs, sentNs);
                assertFlow(gap.flow(), sender, address);
            });
            assertThat(last(sender).count()).isEqualTo(5);
            assertThat(last(sender).bytes()).isGreaterThan(5 * 100L);
            assertThat(last(other).count()).isEqualTo(2);
            assertThat(last(other).flow().port()).isEqualTo(to.getPort());
        }
    }

    @Test
    void shouldCountNoArrivalsWithoutAPort() throws IOException {
        try (TestSockets sockets = new TestSockets()) {
            DatagramChannel receiver = bound(sockets, StandardProtocolFamily.INET, "127.0.0.1");
            KernelRecorder recorder = start(0);
            TestSockets.send(
                    bound(sockets, StandardProtocolFamily.INET, "127.0.0.1"),
                    (InetSocketAddress) receiver.getLocalAddress(),
                    3);
            recorder.close();
        }
        assertThat(log.of(DatagramRecord.Arrivals.class)).isEmpty();
    }

    /** A second socket at a unicast port gets what the first one got before. */
    @ParameterizedTest
    @CsvSource({"INET, 127.0.0.1", "INET6, ::1"})
    void shouldCountWhatEachSocketOfThePortGot(StandardProtocolFamily family, String address) throws IOException {
        try (TestSockets sockets = new TestSockets();
                DatagramChannel first = DatagramChannel.open(family);
                DatagramChannel second = DatagramChannel.open(family)) {
            first.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(new InetSocketAddress(address, 0));
            InetSocketAddress to = (InetSocketAddress) first.getLocalAddress();
            DatagramChannel sender = bound(sockets, family, address);
            RecorderSettings settings = RecorderSettings.DEFAULT
                    .ofThreads(List.of("none"))
                    .ofPort(to.getPort())
                    .withDeliveries(true);
            KernelRecorder recorder = KernelRecorder.start(RecorderSource.BPF, List.of(SELF), settings, log);
            TestSockets.send(sender, to, 5);
            second.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(to);
            TestSockets.send(sender, to, 7);
            recorder.close();

            first.configureBlocking(false);
            second.configureBlocking(false);
            Map<Long, Long> counts = new HashMap<>();
            log.of(KernelRecord.Deliveries.class).forEach(each -> counts.put(each.inode(), each.count()));
            assertThat(counts.keySet()).isSubsetOf(inodes());
            assertThat(counts.values()).containsExactlyInAnyOrder((long) drain(first), (long) drain(second));
        }
    }

    @Test
    void shouldNotCountWhatSocketsGotWithoutBeingAsked() throws IOException {
        try (TestSockets sockets = new TestSockets()) {
            DatagramChannel receiver = bound(sockets, StandardProtocolFamily.INET, "127.0.0.1");
            InetSocketAddress to = (InetSocketAddress) receiver.getLocalAddress();
            KernelRecorder recorder = start(to.getPort());
            TestSockets.send(bound(sockets, StandardProtocolFamily.INET, "127.0.0.1"), to, 3);
            recorder.close();
        }
        assertThat(log.of(DatagramRecord.Arrivals.class)).isNotEmpty();
        assertThat(log.of(KernelRecord.Deliveries.class)).isEmpty();
    }

    /** No thread is recorded: unwinding the stacks of a whole JVM takes its time. */
    private KernelRecorder start(int port) {
        RecorderSettings settings =
                RecorderSettings.DEFAULT.ofThreads(List.of("none")).ofPort(port);
        return KernelRecorder.start(RecorderSource.BPF, List.of(SELF), settings, log);
    }

    private DatagramRecord.Arrivals last(DatagramChannel sender) throws IOException {
        int port = TestSockets.port(sender);
        List<DatagramRecord.Arrivals> counts = log.of(DatagramRecord.Arrivals.class).stream()
                .filter(arrivals -> arrivals.flow().sourcePort() == port)
                .toList();
        assertThat(counts).isNotEmpty();
        return counts.get(counts.size() - 1);
    }

    private static void assertFlow(DatagramFlow flow, DatagramChannel sender, String address) throws IOException {
        assertThat(flow.sourcePort()).isEqualTo(TestSockets.port(sender));
        assertThat(flow.source()).isEqualTo(address);
        assertThat(flow.destination()).isEqualTo(address);
        assertThat(flow.netns()).isEqualTo(NetworkNamespace.inodeOf(SELF));
        assertThat(flow.fragment()).isFalse();
    }

    private static DatagramChannel bound(TestSockets sockets, ProtocolFamily family, String address)
            throws IOException {
        assumeThat(family == StandardProtocolFamily.INET || Files.exists(Path.of("/proc/net/if_inet6")))
                .as("IPv6")
                .isTrue();
        return sockets.bound(family, InetAddress.getByName(address).getHostAddress());
    }

    private static int drain(DatagramChannel receiver) throws IOException {
        receiver.configureBlocking(false);
        int received = 0;
        while (receiver.receive(ByteBuffer.allocate(200)) != null) {
            received++;
        }
        return received;
    }

    private static List<Long> inodes() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.map(LiveDatagramRecorderTest::target)
                    .filter(target -> target.startsWith("socket:["))
                    .map(target -> Long.parseLong(target, "socket:[".length(), target.length() - 1, 10))
                    .toList();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
