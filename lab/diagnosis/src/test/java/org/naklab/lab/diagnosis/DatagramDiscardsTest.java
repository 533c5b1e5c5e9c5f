package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DISCARDED;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_TAKEN;
import static org.naklab.lab.core.timeline.TimelineEventType.FEED_SILENT;
import static org.naklab.lab.core.timeline.TimelineEventType.FOREIGN_DATAGRAMS;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.MEMBERSHIP_LOST;
import static org.naklab.lab.core.timeline.TimelineEventType.PLACE_OBSERVED;
import static org.naklab.lab.core.timeline.TimelineEventType.PORT_SHARED;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_OPENED;
import static org.naklab.lab.core.timeline.TimelineEventType.UDP_COUNTED;
import static org.naklab.lab.core.timeline.TimelineEventType.UDP_ERRORS;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.timeline.TimelineEvent;

class DatagramDiscardsTest {
    private static final long RUN_NS = 12_000_000_000L;
    private static final String COUNTED = "receive buffer, checksum, reassembly, backlog, reverse path filter";
    private static final String OBSERVED = "group membership, other sockets of the port,"
            + " other senders and groups of the port, silence of the sender";
    private static final String LOOKED_AT = "looked at: " + COUNTED + ", firewall, " + OBSERVED;
    private static final String GROUP = "239.192.16.1";
    private static final String NEVER_REACHED = "never reached";

    @Test
    void shouldNameTheReasonOfTheKernelForTheFeedsPort() {
        Diagnosis diagnosis = discarded(recorded(nak()), "NETFILTER_DROP", 117, Incident.FEED_PORT)
                .diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.NETWORK_LOSS);
        assertThat(text(diagnosis))
                .contains("this host's firewall discarded 117 datagrams (NETFILTER_DROP)")
                .contains(LOOKED_AT)
                .doesNotContain(NEVER_REACHED, "none discarded");
        assertThat(diagnosis.remedy()).contains("NETFILTER_DROP").doesNotContain(NEVER_REACHED);
    }

    @Test
    void shouldAddUpTheDatagramsOfOneReason() {
        Incident incident = recorded(nak());
        discarded(incident, "UDP_CSUM", 1_000, Incident.FEED_PORT);
        discarded(incident, "UDP_CSUM", 17, Incident.FEED_PORT);
        assertThat(text(incident.diagnose()))
                .contains("this host discarded 1,017 datagrams with a bad checksum (UDP_CSUM)");
    }

    @Test
    void shouldSayThatNothingReachedTheSocketOnlyAfterAllWasLookedAt() {
        Diagnosis diagnosis =
                discarded(recorded(nak()), "NETFILTER_DROP", 117, 9).diagnose();
        assertThat(text(diagnosis))
                .contains(LOOKED_AT + "; none discarded a datagram of this port")
                .contains(NEVER_REACHED)
                .doesNotContain("117", "not looked at");
        assertThat(diagnosis.remedy()).contains(NEVER_REACHED);
    }

    @Test
    void shouldListTheFirewallAsNotLookedAtWithoutTheKernelsReasons() {
        Diagnosis diagnosis = counted(nak()).diagnose();
        assertThat(text(diagnosis))
                .contains("looked at: " + COUNTED + "; none discarded")
                .contains("; not looked at: firewall, " + OBSERVED)
                .doesNotContain(NEVER_REACHED);
        assertThat(diagnosis.remedy()).contains("firewall").doesNotContain(NEVER_REACHED);
    }

    @Test
    void shouldListAllAsNotLookedAtWithoutAnyInstrument() {
        assertThat(text(nak().diagnose()))
                .contains("not looked at: " + COUNTED + ", firewall, " + OBSERVED)
                .doesNotContain(NEVER_REACHED, "none discarded");
    }

    @Test
    void shouldNotRelyOnARecordThatCoversOnlyAPart() {
        Incident incident = nak().event(-6_000, KERNEL_RECORDED, "durationNs", RUN_NS / 2, "source", "bpf")
                .event(-4_000, UDP_COUNTED, "durationNs", RUN_NS);
        assertThat(text(incident.diagnose()))
                .contains("not looked at: receive buffer")
                .doesNotContain(NEVER_REACHED);
    }

    @Test
    void shouldNotTakePolledRecordsForReasons() {
        Incident incident = nak().event(-6_000, KERNEL_RECORDED, "durationNs", RUN_NS, "source", "proc");
        assertThat(text(incident.diagnose())).contains("not looked at").doesNotContain(NEVER_REACHED);
    }

    @Test
    void shouldTellErrorsOfTheNamespaceWhosePortIsUnknown() {
        Incident incident = counted(nak()).event(0, UDP_ERRORS, "counter", "InCsumErrors", "growth", 18L);
        assertThat(text(incident.diagnose()))
                .contains("port is unknown (18 InCsumErrors)")
                .doesNotContain("none discarded", NEVER_REACHED);
    }

    @Test
    void shouldIgnoreErrorsOutsideOfTheCountedWindow() {
        Incident incident = counted(nak()).event(-5_500, UDP_ERRORS, "counter", "InCsumErrors", "growth", 18L);
        assertThat(text(incident.diagnose())).doesNotContain("InCsumErrors").contains("none discarded");
    }

    @Test
    void shouldTellTheDropsOfSocketsApart() {
        Incident incident = recorded(new Incident().loss(0).lostOnTheWay(2_000));
        assertThat(text(discarded(incident, "SOCKET_RCVBUFF", 300, Incident.FEED_PORT)
                        .diagnose()))
                .contains("apart from 300 drops of sockets, none discarded a datagram of this port");
    }

    @Test
    void shouldNotTakeTheQueueOfAClosingSocketForALoss() {
        assertThat(text(discarded(recorded(nak()), "QUEUE_PURGE", 156, Incident.FEED_PORT)
                        .diagnose()))
                .contains("none discarded")
                .doesNotContain("QUEUE_PURGE");
    }

    @Test
    void shouldNotSayThatASocketOverflowedWhenChecksumsWereBad() {
        Incident incident = recorded(new Incident().loss(0));
        Diagnosis diagnosis =
                discarded(incident, "UDP_CSUM", 300, Incident.FEED_PORT).diagnose();
        assertThat(diagnosis.cause()).as("they arrived damaged").isEqualTo(Cause.NETWORK_LOSS);
        assertThat(text(diagnosis))
                .contains("this host discarded 300 datagrams with a bad checksum (UDP_CSUM)")
                .doesNotContain("overflow");
        assertThat(text(recorded(new Incident().loss(0)).diagnose())).contains("a socket overflowed without a stall");
    }

    /** The sockets of all programs share that memory. Without a stall, the receiver did not use it up. */
    @Test
    void shouldTellAHostWithoutMemoryForUdpFromAFullSocket() {
        Incident incident = recorded(new Incident().loss(0));
        Diagnosis diagnosis =
                discarded(incident, "PROTO_MEM", 300, Incident.FEED_PORT).diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.NETWORK_LOSS);
        assertThat(text(diagnosis))
                .contains("UDP had no memory left on this host and discarded 300 datagrams (PROTO_MEM)")
                .doesNotContain("overflow");
    }

    @Test
    void shouldChargeAStallWithWhatItLeftNoMemoryFor() {
        Incident incident = recorded(new Incident().stall(-40, 150)).loss(0);
        Diagnosis diagnosis =
                discarded(incident, "PROTO_MEM", 300, Incident.FEED_PORT).diagnose();
        assertThat(diagnosis.causes())
                .extracting(NamedCause::cause, NamedCause::lostDatagrams)
                .contains(tuple(diagnosis.cause(), 300L))
                .extracting(cause -> cause.toList().get(0))
                .doesNotContain(Cause.NETWORK_LOSS);
    }

    @Test
    void shouldListEachPlaceThatWasNotLookedAt() {
        Incident incident = observed(counted(nak()), "group membership")
                .event(-6_000, KERNEL_RECORDED, "durationNs", RUN_NS, "source", "bpf", "arrivals", false);
        Diagnosis diagnosis = incident.diagnose();
        assertThat(text(diagnosis))
                .contains("looked at: " + COUNTED + ", firewall, group membership; none discarded")
                .contains(
                        "not looked at: other sockets of the port, other senders and groups of the port, silence of the sender")
                .doesNotContain(NEVER_REACHED);
        assertThat(diagnosis.remedy()).contains("other sockets of the port").doesNotContain(NEVER_REACHED);
    }

    /** The process may end before the place is read once more. */
    @ParameterizedTest
    @CsvSource({
        "400, 500, true",
        "400, 100, false",
        "400, 0, false",
        "150, 0, true",
        "1500, 2000, true",
        "4500, 4000, false",
        "5500, 6000, false"
    })
    void shouldTakeAPlaceAsLookedAtForOnePeriodAfterItsLastReading(long missingMs, long gapMs, boolean isLookedAt) {
        long durationNs = TimeUnit.MILLISECONDS.toNanos(11_000 - missingMs);
        Incident incident = counted(nak())
                .event(
                        -6_000,
                        PLACE_OBSERVED,
                        "durationNs",
                        durationNs,
                        "place",
                        "group membership",
                        "longestGapNs",
                        TimeUnit.MILLISECONDS.toNanos(gapMs));
        String notLookedAt = text(incident.diagnose()).replaceFirst("(?s).*not looked at: ", "");
        assertThat(notLookedAt.contains("group membership")).isEqualTo(!isLookedAt);
    }

    @Test
    void shouldTellTheFunctionOfTheKernelThatGaveNoReason() {
        assertThat(text(unspecified(true, "ip_rcv_finish_core").diagnose()))
                .contains("had no route for, or was no member of the group of, 12 datagrams")
                .contains("(NOT_SPECIFIED in ip_rcv_finish_core)")
                .doesNotContain(NEVER_REACHED);
        assertThat(text(unspecified(true, "ip_defrag").diagnose()))
                .contains("had no memory to put datagrams together and discarded 12 datagrams");
        assertThat(text(unspecified(true, "some_function").diagnose()))
                .contains("this host's kernel discarded 12 datagrams (NOT_SPECIFIED in some_function)");
    }

    @Test
    void shouldNotTakeTheHostsOwnCopyForALoss() {
        assertThat(text(unspecified(false, "ip_rcv_finish_core").diagnose()))
                .contains("none discarded")
                .doesNotContain("NOT_SPECIFIED");
        assertThat(text(unspecified(true, "").diagnose())).contains("none discarded");
        assertThat(text(unspecified(true, "udp_destruct_common").diagnose())).contains("none discarded");
    }

    @Test
    void shouldCountFragmentsOfTheFeedsGroupThatHaveNoPort() {
        assertThat(text(fragments(GROUP).diagnose()))
                .contains("could not put a datagram together in time and discarded 7 fragments")
                .contains("(FRAG_REASM_TIMEOUT in inet_frag_queue_flush)");
        assertThat(text(fragments("239.192.16.2").diagnose())).contains("none discarded");
    }

    @Test
    void shouldNotCountWhatASocketOfAnotherProcessLost() {
        Incident incident = recorded(nak()).event(-6_000, SOCKET_OPENED, "inode", 4_711L);
        assertThat(text(ofSocket(incident, 4_712).diagnose())).contains("none discarded");
        Incident own = recorded(nak()).event(-6_000, SOCKET_OPENED, "inode", 4_711L);
        assertThat(text(ofSocket(own, 4_711).diagnose())).contains("a filter of the socket discarded 5 datagrams");
    }

    @Test
    void shouldTellThatTheMembershipWasLost() {
        Incident incident = recorded(nak())
                .event(-300, MEMBERSHIP_LOST, "durationNs", 400_000_000L, "group", GROUP, "interface", 2);
        Diagnosis diagnosis = incident.diagnose();
        assertThat(text(diagnosis))
                .contains("no socket of the host of mds was a member of " + GROUP + " (400 ms, interface 2)")
                .doesNotContain(NEVER_REACHED);
        assertThat(diagnosis.remedy()).contains("membership");
    }

    /** Where a switch sends nothing to who has left the group, this host has nothing to discard, and the sender is not silent. */
    @Test
    void shouldBlameTheMembershipAndNotTheSenderForASilence() {
        Incident incident = recorded(new Incident().withoutNaks())
                .event(-2_000, MEMBERSHIP_LOST, "durationNs", 1_400_000_000L, "group", GROUP, "lasting", false)
                .event(-2_000, FEED_SILENT, "durationNs", 1_500_000_000L, "port", (long) Incident.FEED_PORT);
        Diagnosis diagnosis = incident.diagnose();
        assertThat(diagnosis.causes()).extracting(NamedCause::cause).containsExactly(Cause.NETWORK_LOSS);
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(diagnosis.remedy()).contains("membership");
        assertThat(diagnosis.noted()).singleElement().asString().contains("no socket of this host was a member");
    }

    @Test
    void shouldNotCallALossThatAReceiverHasLeftItsGroupForGood() {
        Incident incident = recorded(new Incident().withoutNaks())
                .event(-2_000, MEMBERSHIP_LOST, "durationNs", 1_400_000_000L, "group", GROUP, "lasting", true);
        assertThat(incident.diagnose().cause()).isEqualTo(Cause.CLEAN);
    }

    @Test
    void shouldTellSilenceForeignSendersAndOtherSockets() {
        long port = Incident.FEED_PORT;
        Incident incident = recorded(nak())
                .event(-2_000, FEED_SILENT, "durationNs", 1_500_000_000L, "usualGapNs", 20_000_000L, "port", port)
                .event(
                        -1_000,
                        FOREIGN_DATAGRAMS,
                        "durationNs",
                        300_000_000L,
                        "port",
                        port,
                        "source",
                        "10.0.0.9:5",
                        "destination",
                        GROUP,
                        "count",
                        17_000L,
                        "peakPerSecond",
                        57_000L)
                .event(-6_000, PORT_SHARED, "port", port, "address", "0.0.0.0", "owner", "other (process 9)");
        assertThat(text(incident.diagnose()))
                .contains("not even a heartbeat (1500 ms, usually at most 20;")
                .contains("10.0.0.9:5 sent to " + GROUP)
                .contains("(17,000 datagrams in 300 ms, at most 57,000 per second)")
                .contains("(other (process 9) at 0.0.0.0)")
                .contains(NEVER_REACHED);
    }

    /** The receiver sends no NAKs, and nobody knows which program should have the datagrams: the cause is only likely. */
    @Test
    void shouldTellWhoTookUnicastDatagrams() {
        Incident incident = recorded(new Incident().withoutNaks())
                .event(
                        -3_000,
                        DATAGRAMS_TAKEN,
                        "port",
                        (long) Incident.FEED_PORT,
                        "owner",
                        "thief (process 9)",
                        "count",
                        500L,
                        "durationNs",
                        1_000_000_000L);
        Diagnosis diagnosis = incident.diagnose();
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(diagnosis.causes())
                .extracting(NamedCause::cause, NamedCause::lostDatagrams)
                .containsExactly(tuple(Cause.NETWORK_LOSS, 500L));
        assertThat(text(diagnosis)).contains("got the datagrams (500 datagrams, thief (process 9))");
        assertThat(diagnosis.remedy()).contains("another port");
    }

    private static Incident unspecified(boolean atReceiver, String location) {
        return recorded(nak())
                .elsewhere(
                        -1,
                        DATAGRAMS_DISCARDED,
                        TimelineEvent.HOST,
                        "reason",
                        "NOT_SPECIFIED",
                        "location",
                        location,
                        "count",
                        12L,
                        "port",
                        (long) Incident.FEED_PORT,
                        "atReceiver",
                        atReceiver);
    }

    private static Incident fragments(String destination) {
        return recorded(nak())
                .elsewhere(
                        -1,
                        DATAGRAMS_DISCARDED,
                        TimelineEvent.HOST,
                        "reason",
                        "FRAG_REASM_TIMEOUT",
                        "location",
                        "inet_frag_queue_flush",
                        "count",
                        7L,
                        "port",
                        0L,
                        "fragment",
                        true,
                        "destination",
                        destination,
                        "atReceiver",
                        true);
    }

    private static Incident ofSocket(Incident incident, long inode) {
        return incident.elsewhere(
                -1,
                DATAGRAMS_DISCARDED,
                TimelineEvent.HOST,
                "reason",
                "SOCKET_FILTER",
                "count",
                5L,
                "port",
                (long) Incident.FEED_PORT,
                "inode",
                inode);
    }

    /** The order of the feed's datagrams is asked for again, and no socket has dropped one. */
    private static Incident nak() {
        return new Incident().nak(0);
    }

    private static Incident recorded(Incident incident) {
        return observed(observed(counted(incident), "group membership"), "other sockets of the port")
                .event(
                        -6_000,
                        KERNEL_RECORDED,
                        "durationNs",
                        RUN_NS,
                        "source",
                        "bpf",
                        "arrivals",
                        true,
                        "group",
                        GROUP);
    }

    private static Incident observed(Incident incident, String place) {
        return incident.event(-6_000, PLACE_OBSERVED, "durationNs", RUN_NS, "place", place);
    }

    private static Incident counted(Incident incident) {
        return incident.event(-6_000, UDP_COUNTED, "durationNs", RUN_NS);
    }

    private static Incident discarded(Incident incident, String reason, long count, int port) {
        return incident.elsewhere(
                -1, DATAGRAMS_DISCARDED, TimelineEvent.HOST, "reason", reason, "count", count, "port", (long) port);
    }

    private static String text(Diagnosis diagnosis) {
        StringBuilder text = new StringBuilder();
        diagnosis.evidence().forEach(each -> text.append(each.text())
                .append(" (")
                .append(each.figure())
                .append(")\n"));
        return text.toString();
    }
}
