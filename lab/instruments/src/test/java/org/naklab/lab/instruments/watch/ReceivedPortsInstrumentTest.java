package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.testing.host.FreePorts;

/** With sockets of this process on the loopback interface. */
@Timeout(60)
class ReceivedPortsInstrumentTest {
    private static final String GROUP = "239.192.25.77";

    private final EventLog events = new EventLog();
    private final List<SocketSummary> open = new CopyOnWriteArrayList<>();
    private final int port = FreePorts.pair();
    private DatagramChannel socket;
    private NetworkInterface loopback;
    private boolean isAlive = true;

    @BeforeEach
    void openSocket() throws IOException {
        loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        socket = DatagramChannel.open(StandardProtocolFamily.INET)
                .setOption(StandardSocketOptions.SO_REUSEADDR, true)
                .bind(new InetSocketAddress(port));
    }

    @AfterEach
    void closeSocket() throws IOException {
        socket.close();
    }

    @Test
    void shouldReportAGroupThatWasLeftAndJoinedAgain() throws IOException {
        MembershipKey key = socket.join(InetAddress.getByName(GROUP), loopback);
        open.add(summary(List.of(GROUP)));
        try (ReceivedPortsInstrument ports = instrument()) {
            ports.refresh(0);
            key.drop();
            ports.refresh(0);
            MembershipKey ignored = socket.join(InetAddress.getByName(GROUP), loopback);
            ports.refresh(0);
        }

        assertThat(events.of(TimelineEventType.MEMBERSHIP_LOST)).singleElement().satisfies(lost -> {
            assertThat(lost.detail("group")).isEqualTo(GROUP);
            assertThat(lost.longDetail("port", 0)).isEqualTo(port);
            assertThat(lost.detail("lasting")).isEqualTo(false);
        });
    }

    @Test
    void shouldNotReportASecondSocketOfTheProcessItself() throws IOException {
        open.add(summary(List.of()));
        try (DatagramChannel second = DatagramChannel.open(StandardProtocolFamily.INET)
                        .setOption(StandardSocketOptions.SO_REUSEADDR, true)
                        .bind(new InetSocketAddress(port));
                ReceivedPortsInstrument ports = instrument()) {
            assertThat(second.isOpen()).isTrue();
            assertThat(ports.observed()).isNotEmpty();
        }
        assertThat(events.of(TimelineEventType.PORT_SHARED)).isEmpty();
    }

    @Test
    void shouldSayOfWhichPortWhatWasLookedAt() throws IOException {
        MembershipKey ignored = socket.join(InetAddress.getByName(GROUP), loopback);
        open.add(summary(List.of(GROUP)));
        List<TimelineEvent> meanwhile;
        try (ReceivedPortsInstrument ports = instrument()) {
            ports.refresh(0);
            meanwhile = ports.observed();
        }

        assertThat(meanwhile)
                .allMatch(event -> event.longDetail("port", 0) == port)
                .extracting(event -> event.detail("place"))
                .containsExactlyInAnyOrder("other sockets of the port", "group membership");
        assertThat(events.of(TimelineEventType.PLACE_OBSERVED))
                .extracting(event -> event.detail("place"))
                .containsExactlyInAnyOrder("other sockets of the port", "group membership");
    }

    @Test
    void shouldNotReportTheGroupsThatAProcessLeavesAsItEnds() throws IOException {
        MembershipKey key = socket.join(InetAddress.getByName(GROUP), loopback);
        open.add(summary(List.of(GROUP)));
        try (ReceivedPortsInstrument ports = instrument()) {
            ports.refresh(0);
            key.drop();
            ports.refresh(0);
            isAlive = false;
        }
        assertThat(events.of(TimelineEventType.MEMBERSHIP_LOST)).isEmpty();
    }

    @Test
    void shouldForgetTheGroupsOfASocketThatIsClosed() throws IOException {
        MembershipKey key = socket.join(InetAddress.getByName(GROUP), loopback);
        open.add(summary(List.of(GROUP)));
        try (ReceivedPortsInstrument ports = instrument()) {
            open.clear();
            key.drop();
            ports.refresh(0);
        }
        assertThat(events.all()).isEmpty();
    }

    private ReceivedPortsInstrument instrument() {
        return new ReceivedPortsInstrument(
                "receiver",
                ProcessHandle.current().pid(),
                () -> open,
                () -> isAlive,
                inode -> 0,
                events,
                SystemNanoClock.INSTANCE);
    }

    private SocketSummary summary(List<String> groups) {
        return new SocketSummary(
                new SocketIdentity(1, false, "0.0.0.0", port), groups, 0, 0, 0, 212_992, 0, Headroom.NONE);
    }
}
