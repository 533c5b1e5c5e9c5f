package org.naklab.lab.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.naklab.testing.events.Samples;

class SocketDropsTest {
    @Test
    void shouldNotCallABadChecksumAFullSocket() {
        assertThat(why(300, discarded("UDP_CSUM", 300, 40_456)))
                .isEqualTo("dropped because of a bad checksum (UDP_CSUM)");
    }

    @Test
    void shouldSplitDropsOfBothKinds() {
        assertThat(why(1_500, discarded("UDP_CSUM", 200, 40_456), discarded("SOCKET_RCVBUFF", 1_300, 40_456)))
                .isEqualTo("1,300 dropped by a full socket, 200 dropped because of a bad checksum (UDP_CSUM)");
    }

    @Test
    void shouldCallDropsWithoutAnotherReasonThoseOfAFullSocket() {
        assertThat(why(300)).isEqualTo("dropped by a full socket");
        assertThat(why(300, discarded("UDP_CSUM", 300, 9))).isEqualTo("dropped by a full socket");
        assertThat(why(300, discarded("NETFILTER_DROP", 300, 40_456))).isEqualTo("dropped by a full socket");
    }

    @Test
    void shouldNotCountMoreThanTheSocketsDid() {
        assertThat(SocketDrops.of(5, List.of(discarded("UDP_CSUM", 300, 40_456)), List.of(40_456)))
                .isEqualTo(new SocketDrops(5, 5));
    }

    @Test
    void shouldNotCallADropOfASocketFarFromFullAnOverflow() {
        assertThat(why(300, dropped(300, 4_000, 10_000)))
                .isEqualTo("dropped for an unknown reason by a socket that was not seen more than half full");
        assertThat(why(300, dropped(100, 4_000, 10_000), dropped(200, 9_900, 10_000)))
                .isEqualTo("200 dropped by a full socket,"
                        + " 100 dropped for an unknown reason by a socket that was not seen more than half full");
        assertThat(why(300, dropped(300, 5_000, 10_000))).isEqualTo("dropped by a full socket");
        assertThat(why(300, dropped(300, 4_000, 0))).isEqualTo("dropped by a full socket");
    }

    @Test
    void shouldBelieveTheKernelsReasonRatherThanTheSampledDepth() {
        assertThat(why(300, dropped(300, 4_000, 10_000), discarded("SOCKET_RCVBUFF", 300, 40_456)))
                .isEqualTo("dropped by a full socket");
        assertThat(why(300, dropped(300, 4_000, 10_000), discarded("UDP_CSUM", 300, 40_456)))
                .isEqualTo("dropped because of a bad checksum (UDP_CSUM)");
    }

    /** The socket may have been empty: the sockets of all programs share the memory. */
    @Test
    void shouldNotCallAHostWithoutMemoryForUdpAFullSocket() {
        assertThat(why(300, dropped(300, 4_000, 10_000), discarded("PROTO_MEM", 300, 40_456)))
                .isEqualTo("dropped because UDP had no memory left on this host (PROTO_MEM, udp_mem)");
        assertThat(why(300, dropped(300, 9_900, 10_000), discarded("PROTO_MEM", 200, 40_456)))
                .isEqualTo("100 dropped by a full socket,"
                        + " 200 dropped because UDP had no memory left on this host (PROTO_MEM, udp_mem)");
    }

    @Test
    void shouldKnowWhetherOnlyFullSocketsDropped() {
        assertThat(new SocketDrops(5, 0, 0, 0, null).isOverflowOnly()).isTrue();
        assertThat(new SocketDrops(5, 1, 0, 0, null).isOverflowOnly()).isFalse();
        assertThat(new SocketDrops(5, 0, 1, 0, null).isOverflowOnly()).isFalse();
        assertThat(new SocketDrops(5, 0, 0, 1, null).isOverflowOnly()).isFalse();
        assertThat(new SocketDrops(5, 0, 0, 0, new SocketDrops.Unseen(1, 9)).isOverflowOnly())
                .isFalse();
    }

    @Test
    void shouldSayOfASocketThatWasNotLookedAtWhatIsNotKnown() {
        String unknown = "dropped by a socket that was not looked at for up to 5000.0 ms,"
                + " so that it is not known whether it was full";
        assertThat(why(1_260, dropped(1_260, 4_000, 10_000, 5_000_000_000L))).isEqualTo(unknown);
        assertThat(why(300, dropped(300, 4_000, 10_000, 1_000_000)))
                .isEqualTo("dropped for an unknown reason by a socket that was not seen more than half full");
        assertThat(why(300, dropped(300, 9_900, 10_000, 5_000_000_000L))).isEqualTo("dropped by a full socket");
        assertThat(why(
                        300,
                        dropped(100, 4_000, 10_000, 1_000_000),
                        dropped(150, 4_000, 10_000, 5_000_000_000L),
                        discarded("SOCKET_RCVBUFF", 200, 40_456)))
                .isEqualTo("200 dropped by a full socket, 100 " + unknown);
    }

    private static TimelineEvent dropped(long datagrams, long peakBytes, long limitBytes) {
        return dropped(datagrams, Map.of("peakBytes", peakBytes, "limitBytes", limitBytes));
    }

    private static TimelineEvent dropped(long datagrams, long peakBytes, long limitBytes, long longestGapNs) {
        return dropped(
                datagrams, Map.of("peakBytes", peakBytes, "limitBytes", limitBytes, "longestGapNs", longestGapNs));
    }

    private static TimelineEvent dropped(long datagrams, Map<String, Object> fill) {
        Map<String, Object> details = new HashMap<>(fill);
        details.put("datagrams", datagrams);
        details.put("port", 40_456);
        return TimelineEvent.of(
                1,
                TimelineEventType.DATAGRAMS_DROPPED,
                "mds",
                Samples.whole(TimelineEventType.DATAGRAMS_DROPPED.form(), details));
    }

    private static String why(long all, TimelineEvent... events) {
        return SocketDrops.of(all, List.of(events), List.of(40_456)).why();
    }

    private static TimelineEvent discarded(String reason, long count, int port) {
        return TimelineEvent.of(
                1,
                TimelineEventType.DATAGRAMS_DISCARDED,
                TimelineEvent.HOST,
                Samples.whole(
                        TimelineEventType.DATAGRAMS_DISCARDED.form(),
                        Map.of("reason", reason, "count", count, "port", (long) port)));
    }
}
