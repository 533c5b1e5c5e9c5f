package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.TestSockets;
import org.naklab.lab.instruments.series.SampleSink;

@Timeout(60)
class SocketDepthInstrumentTest {
    private static final long MS = 1_000_000;

    private final TestSockets sockets = new TestSockets();
    private final EventLog events = new EventLog();
    private final Map<String, Long> samples = new HashMap<>();
    private final CachedNanoClock clock = new CachedNanoClock();
    private DatagramChannel receiver;
    private DatagramChannel sender;
    private SocketDepthInstrument instrument;

    @BeforeEach
    void openSockets() throws IOException {
        receiver = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
        sender = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
        instrument = SocketDepthInstrument.attach("mds", ProcessHandle.current().pid(), events, clock);
    }

    @AfterEach
    void closeSockets() throws IOException {
        instrument.close();
        sockets.close();
    }

    @Test
    void shouldReportRiseDropsAndDrainOfTheRightSocket() throws IOException {
        sampleAt(1);
        TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 1_000);
        sampleAt(2);
        drain();
        sampleAt(150);

        int port = TestSockets.port(receiver);
        TimelineEvent rise = events.of(TimelineEventType.SOCKET_DEPTH_RISE).get(0);
        TimelineEvent dropped = events.of(TimelineEventType.DATAGRAMS_DROPPED).get(0);
        TimelineEvent drained = events.of(TimelineEventType.SOCKET_DRAINED).get(0);
        assertThat(rise.timeNs()).isEqualTo(1 * MS);
        assertThat(rise.longDetail("grownNs", 0)).isEqualTo(2 * MS);
        assertThat(rise.process()).isEqualTo("mds");
        assertThat(rise.longDetail("port", 0)).isEqualTo(port);
        assertThat(dropped.timeNs()).isEqualTo(2 * MS);
        assertThat(dropped.longDetail("port", 0)).isEqualTo(port);
        assertThat(drained.longDetail("durationNs", 0)).isEqualTo(149 * MS);

        SocketSummary summary = instrument.summaries().stream()
                .filter(s -> s.identity().localPort() == port)
                .findFirst()
                .orElseThrow();
        assertThat(summary.drops())
                .isEqualTo(dropped.longDetail("datagrams", 0))
                .isBetween(1L, 999L);
        assertThat(summary.depths().maxDepthBytes()).isEqualTo(drained.longDetail("peakBytes", 0));
        String series =
                "socket.mds.127.0.0.1:" + port + '#' + summary.identity().inode() + ".drops";
        assertThat(samples).containsEntry(series, summary.drops());
    }

    /** The buffer was filled and emptied between two samples: nothing shows that it was full. */
    @Test
    void shouldTellHowLongItDidNotLookWhileASocketDropped() throws IOException {
        sampleAt(1);
        sampleAt(300);
        TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 1_000);
        drain();
        sampleAt(5_300);
        sampleAt(20_000);

        assertThat(events.of(TimelineEventType.DATAGRAMS_DROPPED))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.longDetail("longestGapNs", 0)).isEqualTo(5_000 * MS);
                    assertThat(event.longDetail("peakBytes", -1)).isZero();
                });
    }

    /** Ten datagrams a millisecond: the rate is what the kernel counts for them, and the buffer lasts as long as the rate says. */
    @Test
    void shouldMeasureHowLongTheBufferLasts() throws IOException {
        for (int ms = 1; ms <= 8; ms++) {
            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 10);
            sampleAt(ms);
        }
        int port = TestSockets.port(receiver);
        long depthBytes = summary(port).depths().depthBytes();
        drain();
        sampleAt(9);

        SocketSummary drained = summary(port);
        assertThat(depthBytes).isPositive();
        assertThat(drained.depths().depthBytes()).isZero();
        assertThat(drained.headroom().arrivalBytesPerSecond()).isEqualTo(depthBytes / 8 * 1_000);
        assertThat(drained.headroom().headroomMs())
                .isCloseTo(drained.depths().limitBytes() / (depthBytes / 8.0), within(1e-6));
        assertThat(drained.headroom().longestStallMs()).isCloseTo(9, within(1e-6));
        assertThat(events.of(TimelineEventType.SOCKET_DRAINED)).singleElement().satisfies(event -> assertThat(
                        event.detail("headroomMs"))
                .isEqualTo(drained.headroom().headroomMs()));
    }

    private SocketSummary summary(int port) {
        return instrument.summaries().stream()
                .filter(socket -> socket.identity().localPort() == port)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldStaySilentWhileTheReceiverKeepsUp() throws IOException {
        for (int ms = 1; ms < 100; ms++) {
            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 30);
            sampleAt(2 * ms);
            drain();
            sampleAt(2 * ms + 1);
        }

        assertThat(events.types()).containsOnly(TimelineEventType.SOCKET_OPENED);
    }

    @Test
    void shouldReportSocketsThatOpenAndClose() throws IOException {
        DatagramChannel later = sockets.bound(StandardProtocolFamily.INET6, "::1");
        int port = TestSockets.port(later);
        instrument.refresh(10 * MS);
        later.close();
        instrument.refresh(20 * MS);

        assertThat(events.all())
                .filteredOn(event -> event.longDetail("port", 0) == port)
                .extracting(TimelineEvent::type)
                .containsExactly(TimelineEventType.SOCKET_OPENED, TimelineEventType.SOCKET_CLOSED);
        assertThat(instrument.summaries()).anyMatch(s -> s.identity().localPort() == port);
    }

    @Test
    void shouldNotAllocatePerSample() {
        assertThat(Allocations.bytesOf(10_000, () -> instrument.sample(MS, SampleSink.NONE)))
                .isZero();
    }

    /** A test ends while nobody reads: its part is told, and not only when somebody reads again. */
    @Test
    void shouldTellWhatGoesOnAtACut() throws IOException {
        instrument.close();
        instrument = SocketDepthInstrument.attachToForeign(
                "mds", ProcessHandle.current().pid(), events, clock);
        sampleAt(1);
        TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 1);
        for (int ms = 2; ms <= 30; ms++) {
            sampleAt(ms);
        }
        instrument.cutAfter(31 * MS);
        sampleAt(30);
        assertThat(instrument.cutNs()).isEqualTo(Long.MIN_VALUE);
        assertThat(events.of(TimelineEventType.SOCKET_UNREAD)).isEmpty();
        sampleAt(32);
        sampleAt(33);

        assertThat(instrument.cutNs()).isEqualTo(32 * MS);
        assertThat(events.of(TimelineEventType.SOCKET_UNREAD)).singleElement().satisfies(event -> {
            assertThat(event.longDetail("port", 0)).isEqualTo(TestSockets.port(receiver));
            assertThat(event.detail("lasting")).isEqualTo(true);
        });
        for (int ms = 34; ms <= 60; ms++) {
            sampleAt(ms);
        }
        drain();
        sampleAt(61);
        assertThat(events.of(TimelineEventType.SOCKET_UNREAD)).hasSize(2);
        assertThat(events.of(TimelineEventType.SOCKET_UNREAD).get(1).timeNs()).isEqualTo(32 * MS);
    }

    private void sampleAt(int ms) {
        clock.update(ms * MS);
        instrument.sample(ms * MS, (series, timeNs, value) -> samples.put(series.toString(), value));
    }

    private void drain() throws IOException {
        receiver.configureBlocking(false);
        ByteBuffer buffer = ByteBuffer.allocate(200);
        while (receiver.receive(buffer.clear()) != null) {
            assertThat(buffer.position()).isEqualTo(100);
        }
    }
}
