package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_OVERTAKEN;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_REPEATED;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.PROCESS_ENDED;
import static org.naklab.lab.core.timeline.TimelineEventType.REPAIRED;
import static org.naklab.lab.core.timeline.TimelineEventType.RETRANSMIT_SENT;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEventType;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ArrivalAnalysisTest {
    private static final long FEED = Incident.FEED_PORT;

    @Test
    void shouldNameReorderingIfNobodyAskedForARetransmission() {
        Diagnosis diagnosis =
                arrived(new Incident(), 100, DATAGRAMS_OVERTAKEN, 50).diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.NETWORK_REORDERING);
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(diagnosis.evidence())
                .extracting(Evidence::figure)
                .containsExactly("50 datagrams, at most 3.5 ms late");
    }

    @Test
    void shouldNameDuplicationIfNobodyAskedForARetransmission() {
        assertThat(causeOf(arrived(new Incident(), 100, DATAGRAMS_REPEATED, 50)))
                .isEqualTo(Cause.NETWORK_DUPLICATION);
    }

    @Test
    void shouldNameBothAtOnce() {
        Incident both = arrived(new Incident(), 100, DATAGRAMS_OVERTAKEN, 5);
        assertThat(arrived(both, 200, DATAGRAMS_REPEATED, 5).diagnose().causes())
                .extracting(NamedCause::cause)
                .containsExactly(Cause.NETWORK_REORDERING, Cause.NETWORK_DUPLICATION);
    }

    @Test
    void shouldTakeARepairOfAnotherReceiverForNeither() {
        Incident repaired = new Incident()
                .elsewhere(100, NAK_SENT, "gateway-2", "naks", 1L)
                .elsewhere(120, RETRANSMIT_SENT, "exchange", "retransmits", 1L);
        arrived(repaired, 130, DATAGRAMS_REPEATED, 50);
        arrived(repaired, 130, DATAGRAMS_OVERTAKEN, 50);
        assertThat(repaired.diagnose().causes())
                .extracting(NamedCause::cause)
                .doesNotContain(Cause.NETWORK_REORDERING, Cause.NETWORK_DUPLICATION);
    }

    @Test
    void shouldTakeAnAnswerToAnUnseenReceiverForNeither() {
        Incident repaired = new Incident().elsewhere(120, RETRANSMIT_SENT, "exchange", "retransmits", 1L);
        assertThat(causeOf(arrived(repaired, 130, DATAGRAMS_REPEATED, 50))).isEqualTo(Cause.CLEAN);
    }

    @Test
    void shouldNotCountWhatCameLongAfterARepair() {
        Incident repaired = new Incident().nak(100);
        assertThat(arrived(repaired, 2_000, DATAGRAMS_REPEATED, 50).diagnose().causes())
                .extracting(NamedCause::cause)
                .contains(Cause.NETWORK_DUPLICATION);
    }

    @Test
    void shouldNotCountOtherPortsNorTheWarmUp() {
        Incident elsewhere = new Incident().event(100, DATAGRAMS_REPEATED, "datagrams", 50L, "port", FEED + 1);
        assertThat(causeOf(arrived(elsewhere, -6_000, DATAGRAMS_OVERTAKEN, 50))).isEqualTo(Cause.CLEAN);
    }

    @Test
    void shouldNameALossIfWhatWasAskedForCameOnce() {
        Incident lost = arrived(new Incident().nak(100), 140, DATAGRAMS_OVERTAKEN, 50);
        assertThat(causeOf(lost)).isEqualTo(Cause.NETWORK_LOSS);
        assertThat(causeOf(arrived(lost, 150, DATAGRAMS_REPEATED, 24))).isEqualTo(Cause.NETWORK_LOSS);
    }

    @Test
    void shouldNameADelayIfWhatWasAskedForCameTwice() {
        Incident late = arrived(new Incident().nak(100), 140, DATAGRAMS_OVERTAKEN, 50);
        Diagnosis diagnosis = arrived(late, 220, DATAGRAMS_REPEATED, 25).diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.NETWORK_DELAY);
        assertThat(diagnosis.confidence()).as("half of them came once only").isEqualTo(Confidence.LIKELY);
        assertThat(diagnosis.wouldSettle())
                .singleElement()
                .asString()
                .contains("what became of the other 25 of 50 datagrams");
        assertThat(arrived(late, 230, DATAGRAMS_REPEATED, 20).diagnose().confidence())
                .isEqualTo(Confidence.CERTAIN);
        assertThat(diagnosis.causes()).extracting(NamedCause::lostDatagrams).containsExactly(0L);
        assertThat(diagnosis.evidence()).extracting(Evidence::figure).contains("25 datagrams for 50 that filled gaps");
    }

    /** Those came once only, and do not speak against a delay. */
    @Test
    void shouldLeaveOutWhatItsSocketDropped() {
        Incident late = arrived(new Incident().nak(100), 140, DATAGRAMS_OVERTAKEN, 70)
                .event(60, DATAGRAMS_DROPPED, "datagrams", 20L, "port", FEED)
                .event(-100, REPAIRED);
        assertThat(causeOf(arrived(late, 220, DATAGRAMS_REPEATED, 30))).isNotEqualTo(Cause.NETWORK_DELAY);
        Incident later = late.nak(3_000);
        assertThat(later.diagnose().causes()).extracting(NamedCause::cause).contains(Cause.NETWORK_DELAY);
    }

    @Test
    void shouldNotTakeTheRepairOfAnotherForALateOriginal() {
        Incident lost = arrived(new Incident().nak(100), 140, DATAGRAMS_OVERTAKEN, 50)
                .elsewhere(110, NAK_SENT, "gateway-1", "naks", 1L);
        assertThat(causeOf(arrived(lost, 220, DATAGRAMS_REPEATED, 50))).isEqualTo(Cause.NETWORK_LOSS);
    }

    @Test
    void shouldNameTheReceiverThatLostDatagrams() {
        Diagnosis diagnosis = new Incident()
                .elsewhere(100, NAK_SENT, "gateway-1", "naks", 4L)
                .loss(3_000)
                .diagnose();
        assertThat(diagnosis.causes())
                .extracting(NamedCause::cause, NamedCause::process, NamedCause::lostDatagrams)
                .containsExactly(tuple(Cause.NETWORK_LOSS, "gateway-1", 4L));
    }

    @Test
    void shouldNameTheEndOfAProcessOfWhichItsParentWasTold() {
        Incident killed = new Incident()
                .event(100, PROCESS_ENDED)
                .event(4_000, PROCESS_ENDED, "how", "killed by signal 9")
                .problem("mds gave no final report");
        Diagnosis diagnosis = killed.diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.PROCESS_ENDED);
        assertThat(diagnosis.evidence())
                .containsExactly(new Evidence(Incident.ns(100), "mds ended before the flow did", "killed by signal 9"));
    }

    /** A watched process may end when it likes. */
    @Test
    void shouldNotNameAnEndThatNobodyWasToldOf() {
        assertThat(causeOf(new Incident().event(100, PROCESS_ENDED))).isEqualTo(Cause.CLEAN);
    }

    private static Cause causeOf(Incident incident) {
        return incident.diagnose().cause();
    }

    private static Incident arrived(Incident incident, double atMs, TimelineEventType type, long datagrams) {
        return type == DATAGRAMS_OVERTAKEN
                ? incident.event(
                        atMs,
                        type,
                        "datagrams",
                        datagrams,
                        "port",
                        FEED,
                        "longestDelayNs",
                        TimeUnit.MICROSECONDS.toNanos(3_500))
                : incident.event(atMs, type, "datagrams", datagrams, "port", FEED);
    }
}
