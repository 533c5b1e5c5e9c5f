package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DISCARDED;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.UDP_COUNTED;
import static org.naklab.lab.core.timeline.TimelineEventType.UDP_ERRORS;

import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.TimelineEvent;

class DatagramDiscardsTest {
    private static final long RUN_NS = 12_000_000_000L;
    private static final String NEVER_REACHED = "never reached";

    @Test
    void shouldNameTheReasonOfTheKernelForTheFeedsPort() {
        Diagnosis diagnosis = discarded(recorded(nak()), "NETFILTER_DROP", 117, Incident.FEED_PORT)
                .diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.NETWORK_LOSS);
        assertThat(text(diagnosis))
                .contains("this host's firewall discarded 117 datagrams (NETFILTER_DROP)")
                .contains("looked at: receive buffer, checksum, reassembly, backlog, firewall")
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
                .contains("looked at: receive buffer, checksum, reassembly, backlog, firewall;"
                        + " none discarded a datagram of this port")
                .contains(NEVER_REACHED)
                .doesNotContain("117", "not looked at");
        assertThat(diagnosis.remedy()).contains(NEVER_REACHED);
    }

    @Test
    void shouldListTheFirewallAsNotLookedAtWithoutTheKernelsReasons() {
        Diagnosis diagnosis = counted(nak()).diagnose();
        assertThat(text(diagnosis))
                .contains("looked at: receive buffer, checksum, reassembly, backlog; none discarded")
                .contains("; not looked at: firewall")
                .doesNotContain(NEVER_REACHED);
        assertThat(diagnosis.remedy()).contains("firewall").doesNotContain(NEVER_REACHED);
    }

    @Test
    void shouldListAllAsNotLookedAtWithoutAnyInstrument() {
        assertThat(text(nak().diagnose()))
                .contains("not looked at: receive buffer, checksum, reassembly, backlog, firewall")
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
        assertThat(diagnosis.cause()).isEqualTo(Cause.UNEXPLAINED);
        assertThat(text(diagnosis))
                .contains("dropped because of a bad checksum (UDP_CSUM)")
                .doesNotContain("overflow");
        assertThat(text(recorded(new Incident().loss(0)).diagnose())).contains("a socket overflowed without a stall");
    }

    /** The order of the feed's datagrams is asked for again, and no socket has dropped one. */
    private static Incident nak() {
        return new Incident().nak(0);
    }

    private static Incident recorded(Incident incident) {
        return counted(incident).event(-6_000, KERNEL_RECORDED, "durationNs", RUN_NS, "source", "bpf");
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
