package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketSample;
import org.naklab.lab.instruments.sampling.TestSockets;
import org.naklab.testing.Await;
import org.naklab.testing.StopReading;
import org.naklab.testing.host.FreePorts;
import org.naklab.testing.host.Installed;

@Timeout(60)
class SocketSourceTest {
    private static final long PID = ProcessHandle.current().pid();
    private static final String GROUP = "239.192.25.1";
    private static final int PORT = FreePorts.pair();

    private final TestSockets sockets = new TestSockets();

    @AfterEach
    void closeSockets() throws IOException {
        sockets.close();
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldSeeDepthAndDropsOfAFullIpv4Socket(SocketSources way) throws IOException {
        shouldSeeDepthAndDrops(way, StandardProtocolFamily.INET, "127.0.0.1");
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldSeeDepthAndDropsOfAFullIpv6Socket(SocketSources way) throws IOException {
        shouldSeeDepthAndDrops(way, StandardProtocolFamily.INET6, "::1");
    }

    private void shouldSeeDepthAndDrops(SocketSources way, ProtocolFamily family, String address) throws IOException {
        DatagramChannel receiver = sockets.bound(family, address);
        DatagramChannel sender = sockets.bound(family, address);
        try (SocketSource source = way.open(PID)) {
            source.sample();
            SocketSample empty = find(source, receiver);
            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 1_000);
            source.sample();
            SocketSample full = find(source, receiver);

            assertThat(empty.depthBytes()).isZero();
            assertThat(empty.drops()).isZero();
            assertThat(full.depthBytes()).isGreaterThan(64 * 1024);
            assertThat(full.drops()).isBetween(1L, 999L);
            assertThat(full.identity().ipv6()).isEqualTo(family == StandardProtocolFamily.INET6);
            assertThat(full.limitBytes()).isEqualTo(way == SocketSources.PROC_NET ? SocketSample.UNKNOWN : 128 * 1024);
            assertThat(find(source, sender).depthBytes()).isZero();
        }
    }

    /** Nothing is refreshed: a process that takes the place of one that was watched needs its port soon. */
    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldLetGoOfThePortOfAProcessThatEnded(SocketSources way, @TempDir Path directory) throws Exception {
        Installed.assume("python3");
        int port = FreePorts.pair();
        try (StopReading receiver = StopReading.start(List.of("python3"), StopReading.script(directory), GROUP, port)) {
            assertThat(receiver.isReady()).isTrue();
            try (SocketSource source = way.open(receiver.pid())) {
                assertThat(source.sockets()).isNotEmpty();
                assertThat(FreePorts.isFree(port))
                        .as("the port while the process lives")
                        .isFalse();
                ProcessHandle.of(receiver.pid()).orElseThrow().destroyForcibly();
                Await.until("the port of the process that ended", () -> {
                    source.sample(System.nanoTime(), (timeNs, socket) -> {});
                    return FreePorts.isFree(port);
                });
                source.sample();
                // A process closes its files before it is gone.
                Await.until("the end of the process", () -> !source.refresh());
                source.sample();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldTellApartTwoSocketsOfOneGroupAndPort(SocketSources way) throws IOException {
        DatagramChannel reading = sockets.member(GROUP, PORT);
        DatagramChannel stuck = sockets.member(GROUP, PORT);
        TestSockets.send(sockets.multicastSender(), new InetSocketAddress(GROUP, PORT), 10);
        reading.configureBlocking(false);
        ByteBuffer buffer = ByteBuffer.allocate(200);
        int received = 0;
        while (reading.receive(buffer.clear()) != null) {
            received++;
        }
        try (SocketSource source = way.open(PID)) {
            source.sample();
            List<MonitoredSocket> both = Arrays.stream(source.sockets())
                    .filter(socket -> socket.identity().localPort() == PORT)
                    .toList();

            assertThat(received).isEqualTo(10);
            assertThat(both)
                    .extracting(MonitoredSocket::depthBytes)
                    .filteredOn(depth -> depth == 0)
                    .hasSize(1);
            assertThat(both)
                    .extracting(MonitoredSocket::depthBytes)
                    .filteredOn(depth -> depth > 0)
                    .hasSize(1);
            assertThat(both.get(0).identity().inode())
                    .isNotEqualTo(both.get(1).identity().inode());
        }
        assertThat(stuck.isOpen()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldFollowSocketsThatOpenAndClose(SocketSources way) throws IOException {
        try (SocketSource source = way.open(PID)) {
            DatagramChannel opened = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
            int port = TestSockets.port(opened);
            assertThat(source.refresh()).isTrue();
            assertThat(ports(source)).contains(port);

            opened.close();
            source.refresh();
            source.sample();
            assertThat(ports(source)).doesNotContain(port);
            try (DatagramChannel next = DatagramChannel.open(StandardProtocolFamily.INET)) {
                next.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                assertThat(TestSockets.port(next)).isEqualTo(port);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldNotAllocatePerSample(SocketSources way) throws IOException {
        DatagramChannel receiver = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
        sockets.bound(StandardProtocolFamily.INET6, "::1");
        TestSockets.send(receiver, (InetSocketAddress) receiver.getLocalAddress(), 3);
        try (SocketSource source = way.open(PID)) {
            assertThat(Allocations.bytesOf(3_000, source::sample)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldSeeTheSocketsOfAnotherNetworkNamespace(SocketSources way, @TempDir Path directory) throws Exception {
        List<String> inNamespace = List.of("unshare", "-n", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh");
        Path program = StopReading.compile(directory);
        try (StopReading other = StopReading.start(inNamespace, program, GROUP, 25_003)) {
            assumeThat(other.isReady()).as("may make a network namespace").isTrue();
            try (SocketSource source = way.open(other.pid())) {
                source.sample();
                assertThat(ports(source)).containsExactly(25_003);
                assertThat(source.sockets()[0].limitBytes() > 0).isEqualTo(way != SocketSources.PROC_NET);
            }
        }
    }

    @Test
    void shouldNameTheGroupsThatASocketJoined() throws IOException {
        DatagramChannel member = sockets.member(GROUP, PORT + 1);
        DatagramChannel other = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
        try (SocketSource source = SocketSources.PIDFD.open(PID)) {
            assertThat(find(source, member).groups()).containsExactly(GROUP);
            assertThat(find(source, other).groups()).isEmpty();
        }
    }

    @Test
    void shouldSayWhyAProcessCannotBeSeen() {
        assertThatThrownBy(() -> SocketSources.openBest(Integer.MAX_VALUE))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("process 2147483647");
    }

    private static SocketSample find(SocketSource source, DatagramChannel channel) throws IOException {
        int port = TestSockets.port(channel);
        return Arrays.stream(source.sockets())
                .filter(socket -> socket.identity().localPort() == port)
                .findFirst()
                .orElseThrow()
                .snapshot(0);
    }

    private static List<Integer> ports(SocketSource source) {
        return Arrays.stream(source.sockets())
                .map(socket -> socket.identity().localPort())
                .toList();
    }
}
