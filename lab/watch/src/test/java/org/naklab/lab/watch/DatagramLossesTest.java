package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

@Timeout(60)
final class DatagramLossesTest {
    private static final Set<Integer> PORTS = Set.of(40_123);

    @Test
    void shouldTellWhatTheFirewallDiscarded() {
        DatagramLosses losses =
                losses(discarded("NETFILTER_DROP", 40_123, 400), discarded("NETFILTER_DROP", 40_123, 29));

        assertThat(losses.lines())
                .containsExactly("429 datagrams discarded by this host, reason NETFILTER_DROP, port 40123");
    }

    @Test
    void shouldNotTellOfOtherPortsAndOtherProcesses() {
        DatagramLosses losses = losses(
                discarded("NETFILTER_DROP", 53, 400),
                TimelineEvent.of(
                        1,
                        TimelineEventType.DATAGRAMS_DROPPED,
                        "gateway",
                        Samples.whole(TimelineEventType.DATAGRAMS_DROPPED.form(), Map.of("datagrams", 5L))),
                counted("NoPorts", 7));

        assertThat(losses.isEmpty()).isTrue();
    }

    @Test
    void shouldCountADatagramOnceThatTheSocketAndTheKernelReport() {
        DatagramLosses losses = losses(
                TimelineEvent.of(
                        1,
                        TimelineEventType.DATAGRAMS_DROPPED,
                        "4711",
                        Samples.whole(TimelineEventType.DATAGRAMS_DROPPED.form(), Map.of("datagrams", 300L))),
                discarded("SOCKET_RCVBUFF", 40_123, 200),
                discarded("UDP_CSUM", 40_123, 100));

        assertThat(losses.lines())
                .containsExactly(
                        "300 datagrams, 200 dropped by a full socket, 100 dropped because of a bad checksum (UDP_CSUM)");
    }

    @Test
    void shouldTellFragmentsThatWereNotReassembled() {
        assertThat(losses(counted("ReasmFails", 12_023)).lines())
                .containsExactly(
                        "12,023 failures to reassemble fragments (ReasmFails of the network namespace, of which"
                                + " port is unknown)");
    }

    /** What the kernel frees without a reason is lost only where it would have been received, and if it says where. */
    @Test
    void shouldCountWhatTheKernelDiscardedWithoutAReasonAtTheReceiver() {
        assertThat(losses(unspecified("dst_discard", 40_123, true, false)).portsOnTheWay())
                .containsExactly(40_123);
        assertThat(losses(unspecified("dst_discard", 40_123, false, false)).isEmpty())
                .isTrue();
        assertThat(losses(unspecified("udp_destruct_common", 40_123, true, false))
                        .isEmpty())
                .isTrue();
        assertThat(losses(unspecified("", 40_123, true, false)).isEmpty()).isTrue();
    }

    @Test
    void shouldCountFragmentsThatHaveNoPort() {
        DatagramLosses losses = losses(unspecified("ip_defrag", 0, true, true));

        assertThat(losses.lines())
                .containsExactly("7 datagrams discarded by this host, reason NOT_SPECIFIED in ip_defrag, port unknown");
        assertThat(losses.portsOnTheWay()).isEmpty();
    }

    @Test
    void shouldTellOfWhichSideOfTheHostADatagramWasDiscarded() {
        DatagramLosses losses = losses(firewalled(Map.of()), firewalled(Map.of("otherNamespace", 4_026_532_000L)));

        assertThat(losses.lines())
                .containsExactly(
                        "7 datagrams discarded by this host, reason NETFILTER_DROP, port 40123",
                        "7 datagrams discarded by this host, reason NETFILTER_DROP, on the sender's side, in network"
                                + " namespace 4026532000, port 40123");
        assertThat(losses.portsOnTheWay()).containsExactly(40_123);
    }

    private static TimelineEvent firewalled(Map<String, Object> where) {
        Map<String, Object> details = new HashMap<>(where);
        details.putAll(Map.of("reason", "NETFILTER_DROP", "location", "nf_hook_slow", "port", 40_123L, "count", 7L));
        return TimelineEvent.of(
                1,
                TimelineEventType.DATAGRAMS_DISCARDED,
                TimelineEvent.HOST,
                Samples.whole(TimelineEventType.DATAGRAMS_DISCARDED.form(), details));
    }

    private static TimelineEvent unspecified(String location, long port, boolean isAtReceiver, boolean isFragment) {
        return TimelineEvent.of(
                1,
                TimelineEventType.DATAGRAMS_DISCARDED,
                TimelineEvent.HOST,
                Samples.whole(
                        TimelineEventType.DATAGRAMS_DISCARDED.form(),
                        Map.of(
                                "reason",
                                "NOT_SPECIFIED",
                                "location",
                                location,
                                "port",
                                port,
                                "count",
                                7L,
                                "atReceiver",
                                isAtReceiver,
                                "fragment",
                                isFragment)));
    }

    @Test
    void shouldTellWhoTookDatagrams() {
        DatagramLosses losses =
                losses(taken("4711", 40_123, 300), taken("4711", 40_123, 29), taken("other", 40_123, 5));

        assertThat(losses.isEmpty()).isFalse();
        assertThat(losses.portsOnTheWay()).containsExactly(40_123);
        assertThat(losses.and(losses).lines())
                .containsExactly("658 datagrams for port 40123 went to a socket of thief (process 9),"
                        + " which was bound to the port meanwhile");
    }

    private static TimelineEvent taken(String process, long port, long count) {
        return TimelineEvent.of(
                1,
                TimelineEventType.DATAGRAMS_TAKEN,
                process,
                Samples.whole(
                        TimelineEventType.DATAGRAMS_TAKEN.form(),
                        Map.of("port", port, "count", count, "owner", "thief (process 9)")));
    }

    private static DatagramLosses losses(TimelineEvent... events) {
        return DatagramLosses.of("4711", List.of(events), PORTS);
    }

    private static TimelineEvent discarded(String reason, long port, long count) {
        return TimelineEvent.of(
                1,
                TimelineEventType.DATAGRAMS_DISCARDED,
                TimelineEvent.HOST,
                Samples.whole(
                        TimelineEventType.DATAGRAMS_DISCARDED.form(),
                        Map.of("reason", reason, "port", port, "count", count)));
    }

    private static TimelineEvent counted(String counter, long growth) {
        return TimelineEvent.of(
                1,
                TimelineEventType.UDP_ERRORS,
                "4711",
                Samples.whole(TimelineEventType.UDP_ERRORS.form(), Map.of("counter", counter, "growth", growth)));
    }
}
