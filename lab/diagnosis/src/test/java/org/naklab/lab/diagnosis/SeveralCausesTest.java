package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.FEED_SILENT;
import static org.naklab.lab.core.timeline.TimelineEventType.FOREIGN_DATAGRAMS;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.PROCESS_ENDED;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DRAINED;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.SYMBOL_BOUND;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;
import static org.naklab.lab.core.timeline.TimelineEventType.YIELDED;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

/** Several causes in one run: all are named, by harm, each with a confidence of its own. */
@Timeout(60)
final class SeveralCausesTest {
    private static final long MS = 1_000_000;
    private static final TimelineEventType[] SPANS = {STALL, TRAFFIC_BURST, SOCKET_DRAINED, FEED_SILENT};
    /** What a NAK asked for was in no socket. */
    private static final Set<Cause> ON_THE_WAY = EnumSet.of(Cause.NETWORK_LOSS);

    @Test
    void shouldNotHideALossBehindABurst() {
        Incident both = burst(100).loss(120).nak(3_000);
        assertThat(both.diagnose().causes())
                .extracting(NamedCause::cause, NamedCause::lostDatagrams)
                .containsExactly(tuple(Cause.TRAFFIC_BURST, 300L), tuple(Cause.NETWORK_LOSS, 3L));
        assertThat(burst(100).loss(120).diagnose().causes())
                .extracting(NamedCause::cause)
                .containsExactly(Cause.TRAFFIC_BURST);
    }

    @Test
    void shouldNotHideALossBehindAFullRing() {
        assertThat(new Incident().ringFull(1_000, 400).nak(3_000).diagnose().causes())
                .extracting(NamedCause::cause)
                .containsExactly(Cause.NETWORK_LOSS, Cause.SLOW_CONSUMER);
    }

    @Test
    void shouldNameALossAtOneReceiverBesideABurstAtAnother() {
        Incident both = burst(100).loss(120).elsewhere(3_000, NAK_SENT, "gateway-1", "naks", 500L);
        assertThat(both.diagnose().causes())
                .extracting(NamedCause::cause, NamedCause::process)
                .containsExactly(tuple(Cause.NETWORK_LOSS, "gateway-1"), tuple(Cause.TRAFFIC_BURST, "mds"));
    }

    /** Its losses are those of the same time, whenever its socket drains. */
    @Test
    void shouldNameAReaderThatIsSlowerThanItsDatagrams() {
        Diagnosis diagnosis = new Incident()
                .recorded()
                .stall(100, 600, "overflow", true)
                .loss(150)
                .loss(900)
                .diagnose();
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(diagnosis.causes())
                .extracting(NamedCause::cause, NamedCause::lostDatagrams)
                .containsExactly(tuple(Cause.BUSY_THREAD, 300L));
    }

    @Test
    void shouldNotBlameAReaderForABurst() {
        Incident burst = burst(100).recorded().stall(110, 60, "overflow", true).loss(120);
        assertThat(burst.diagnose().causes()).extracting(NamedCause::cause).containsExactly(Cause.TRAFFIC_BURST);
    }

    /** A stall that happens at its beginning can have held back a small part of it only. */
    @Test
    void shouldBlameAForeignFloodThatBeginsInAStall() {
        Incident flood = new Incident()
                .recorded()
                .stall(90, 88)
                .absent(90, 88, ThreadAbsence.State.PREEMPTED, "")
                .event(
                        100,
                        TRAFFIC_BURST,
                        "rate",
                        "bytes for port",
                        "durationNs",
                        860 * MS,
                        "peakPerSecond",
                        121_000_000L,
                        "baselinePerSecond",
                        680_000L,
                        "arrivals",
                        90_000_000L)
                .elsewhere(
                        100,
                        FOREIGN_DATAGRAMS,
                        TimelineEvent.HOST,
                        "source",
                        "10.0.0.9:5000",
                        "destination",
                        "239.1.1.1:40456",
                        "port",
                        (long) Incident.FEED_PORT,
                        "durationNs",
                        800 * MS,
                        "count",
                        61_023L,
                        "bytes",
                        88_000_000L)
                .loss(250)
                .loss(600);
        Diagnosis diagnosis = flood.diagnose();

        assertThat(diagnosis.causes().get(0).cause()).isEqualTo(Cause.TRAFFIC_BURST);
        assertThat(diagnosis.causes().get(0).lostDatagrams()).isEqualTo(600);
        assertThat(diagnosis.evidence())
                .extracting(Evidence::text)
                .anyMatch(text -> text.contains("10.0.0.9:5000 sent to 239.1.1.1:40456"));
    }

    @Test
    void shouldNotBlameABurstThatCatchesUpAfterAStall() {
        Incident late = new Incident()
                .recorded()
                .stall(0, 100)
                .absent(0, 100, ThreadAbsence.State.PREEMPTED, "")
                .event(
                        110,
                        TRAFFIC_BURST,
                        "durationNs",
                        20 * MS,
                        "peakPerSecond",
                        10_000_000L,
                        "baselinePerSecond",
                        1_000_000L,
                        "arrivals",
                        120_000L)
                .loss(120);
        assertThat(late.diagnose().causes()).extracting(NamedCause::cause).containsExactly(Cause.CPU_PREEMPTION);
    }

    /** Each of three stalls in a row would have the losses of the others, were they charged with all in its aftermath. */
    @Test
    void shouldChargeEachLossToOneOfNeighbouringStalls() {
        Diagnosis diagnosis = new Incident()
                .recorded()
                .stall(0, 100)
                .absent(0, 100, ThreadAbsence.State.PREEMPTED, "")
                .stall(120, 100)
                .absent(120, 100, ThreadAbsence.State.BLOCKED, "folio_wait_bit_common")
                .loss(50)
                .loss(150)
                .loss(230)
                .diagnose();
        assertThat(diagnosis.causes())
                .filteredOn(cause -> !ON_THE_WAY.contains(cause.cause()))
                .extracting(NamedCause::lostDatagrams)
                .containsExactly(600L, 300L);
    }

    /** Whatever overlaps, the causes have not lost more than the sockets dropped, nor lasted longer than the watch. */
    @Test
    void shouldNeverChargeMoreThanWasLost() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Incident incident = random.nextBoolean() ? new Incident().recorded() : new Incident();
            for (int i = random.nextInt(12); i > 0; i--) {
                addSpan(incident, random, "mds");
            }
            int losses = random.nextInt(8);
            for (int i = 0; i < losses; i++) {
                incident.loss(random.nextInt(2_000));
            }
            List<NamedCause> causes = incident.diagnose().causes();

            assertThat(lost(causes, false))
                    .as("datagrams with seed %d: %s", seed, causes)
                    .isLessThanOrEqualTo(300L * losses);
            assertThat(causes).as("seed %d", seed).allSatisfy(cause -> assertThat(cause.durationMs())
                    .isLessThanOrEqualTo(2_400));
        }
    }

    /** Stalls, bursts and losses of two receivers at the same times: the causes have not lost more than the sockets dropped, nor the network more than was asked for again. */
    @Test
    void shouldChargeTheLossesOfTwoReceiversOnce() {
        int charged = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Incident incident = random.nextBoolean() ? new Incident().recorded() : new Incident();
            for (int i = random.nextInt(12); i > 0; i--) {
                addSpan(incident, random, random.nextBoolean() ? "mds" : "gateway-1");
            }
            int losses = random.nextInt(6);
            int atGateway = random.nextInt(6);
            for (int i = 0; i < losses; i++) {
                incident.loss(random.nextInt(2_000));
            }
            for (int i = 0; i < atGateway; i++) {
                incident.lossAtGateway(random.nextInt(2_000));
            }
            List<NamedCause> causes = incident.diagnose().causes();
            charged += causes.size();

            assertThat(lost(causes, false))
                    .as("datagrams of sockets with seed %d: %s", seed, causes)
                    .isLessThanOrEqualTo(300L * losses + 200L * atGateway);
            assertThat(lost(causes, true))
                    .as("datagrams on the way with seed %d: %s", seed, causes)
                    .isLessThanOrEqualTo(3L * losses + 2L * atGateway);
        }
        assertThat(charged).isPositive();
    }

    /** Each loss at a burst is one of the receiver whose socket dropped it, also if others saw the burst alone. */
    @Test
    void shouldChargeABurstAtEachReceiverWithTheDropsOfItsOwnSocket() {
        String[] witnesses = {"mds", "gateway-1", "exchange"};
        int charged = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Incident incident = new Incident();
            List<Interval> bursts = new ArrayList<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                double atMs = random.nextInt(1_000);
                long lengthNs = (1 + random.nextInt(100)) * MS;
                incident.elsewhere(atMs, TRAFFIC_BURST, witnesses[random.nextInt(3)], "durationNs", lengthNs);
                bursts.add(new Interval(Incident.ns(atMs), Incident.ns(atMs) + lengthNs + Diagnoser.AFTERMATH_NS));
            }
            long ofService = 0;
            long ofGateway = 0;
            for (int i = random.nextInt(8); i > 0; i--) {
                double atMs = random.nextInt(1_000);
                boolean isAtBurst = bursts.stream()
                        .anyMatch(burst -> burst.overlaps(new Interval(Incident.ns(atMs), Incident.ns(atMs) + 1)));
                if (random.nextBoolean()) {
                    incident.loss(atMs);
                    ofService += isAtBurst ? 300 : 0;
                } else {
                    incident.lossAtGateway(atMs);
                    ofGateway += isAtBurst ? 200 : 0;
                }
            }
            List<NamedCause> causes = incident.diagnose().causes();
            charged += ofGateway > 0 && ofService > 0 ? 1 : 0;

            assertThat(ofBursts(causes, "mds"))
                    .as("of the service with seed %d: %s", seed, causes)
                    .isEqualTo(ofService);
            assertThat(ofBursts(causes, "gateway-1"))
                    .as("of the gateway with seed %d: %s", seed, causes)
                    .isEqualTo(ofGateway);
        }
        assertThat(charged).as("runs in which both lost datagrams to bursts").isGreaterThan(50);
    }

    private static long ofBursts(List<NamedCause> causes, String process) {
        return causes.stream()
                .filter(cause ->
                        cause.cause() == Cause.TRAFFIC_BURST && cause.process().equals(process))
                .mapToLong(NamedCause::lostDatagrams)
                .sum();
    }

    private static long lost(List<NamedCause> causes, boolean isOnTheWay) {
        return causes.stream()
                .filter(cause -> ON_THE_WAY.contains(cause.cause()) == isOnTheWay)
                .mapToLong(NamedCause::lostDatagrams)
                .sum();
    }

    private static void addSpan(Incident incident, Random random, String process) {
        double atMs = random.nextInt(2_000);
        long lengthNs = (1 + random.nextInt(400)) * MS;
        TimelineEventType type = SPANS[random.nextInt(SPANS.length)];
        Map<String, Object> details = Map.of(
                "durationNs",
                lengthNs,
                "durationMs",
                lengthNs / 1e6,
                "beganNs",
                Incident.ns(atMs) - lengthNs,
                "port",
                (long) Incident.FEED_PORT,
                "overflow",
                random.nextInt(4) == 0,
                "senderState",
                "stopped",
                "senderAbsentNs",
                lengthNs,
                "peakPerSecond",
                (long) random.nextInt(10_000_000),
                "baselinePerSecond",
                (long) random.nextInt(1_000_000));
        incident.add(TimelineEvent.of(
                Incident.ns(atMs), type, process, process + "-context", Samples.part(type.form(), details)));
    }

    @Test
    void shouldDateASlowConsumerWhenTheRingWasFull() {
        Diagnosis diagnosis = new Incident().ringFull(1_000, 400).diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.SLOW_CONSUMER);
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(diagnosis.evidence()).extracting(Evidence::atNs).containsExactly(Incident.ns(1_000));
        assertThat(diagnosis.causes()).singleElement().satisfies(cause -> {
            assertThat(cause.atNs()).isEqualTo(Incident.ns(1_000));
            assertThat(cause.durationMs()).isEqualTo(400);
        });
    }

    /** Neither when it was full, nor what the context thread did then. */
    @Test
    void shouldNotBeCertainOfASlowConsumerWhoseRingNobodySaw() {
        Diagnosis diagnosis = new Incident().ringFull().diagnose();
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(diagnosis.wouldSettle()).singleElement().asString().contains("depth of the ring over time");
    }

    @Test
    void shouldNotBlameAConsumerForARingThatWasFullWhileTheContextStoodStill() {
        Diagnosis diagnosis = new Incident()
                .ringFull(1_000, 400)
                .stall(1_010, 390)
                .absent(1_011, 388, ThreadAbsence.State.FROZEN, "")
                .diagnose();
        assertThat(diagnosis.causes()).extracting(NamedCause::cause).containsExactly(Cause.PROCESS_FROZEN);
        assertThat(diagnosis.noted()).anyMatch(note -> note.contains("while the context thread stood still"));
    }

    /** The sockets dropped what arrived damaged, which no stall cost. */
    @Test
    void shouldNotMakeAShortPreemptionTheCauseOfBadChecksums() {
        Incident harmless = new Incident()
                .stall(5, 25, "processorWaitMs", 25.0)
                .event(20, DATAGRAMS_DROPPED, "datagrams", 300L, "port", (long) Incident.FEED_PORT);
        assertThat(harmless.diagnose().cause()).isEqualTo(Cause.CPU_PREEMPTION);
        assertThat(harmless.discarded(18, "UDP_CSUM", 300).diagnose().causes()).isEmpty();
        assertThat(harmless.diagnose().noted())
                .anyMatch(note -> note.contains("25.0 ms: cpu-preemption"))
                .anyMatch(note -> note.contains("300 datagrams with a bad checksum, and no receiver missed one"));
    }

    /** The socket counted the drops between two samples, and the receiver asked in between: nobody knows that they were lost on the way. */
    @Test
    void shouldNotCallDropsThatWereSeenLateALossOnTheWay() {
        assertThat(new Incident().nak(100).lossSeenLate(300, 500).diagnose().causes())
                .extracting(NamedCause::cause)
                .doesNotContain(Cause.NETWORK_LOSS);
        assertThat(new Incident().nak(100).lossSeenLate(300, 100).diagnose().causes())
                .extracting(NamedCause::cause)
                .contains(Cause.NETWORK_LOSS);
    }

    @Test
    void shouldCallDamagedDatagramsALossIfTheyAreMissed() {
        assertThat(new Incident()
                        .loss(100)
                        .discarded(99, "UDP_CSUM", 300)
                        .diagnose()
                        .cause())
                .isEqualTo(Cause.NETWORK_LOSS);
        assertThat(new Incident()
                        .loss(100)
                        .discarded(99, "SOCKET_RCVBUFF", 300)
                        .diagnose()
                        .cause())
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void shouldPutAnEndedProcessBeforeAStallThatCostNothing() {
        Diagnosis diagnosis = new Incident()
                .stall(5, 110)
                .absent(6, 108, ThreadAbsence.State.TRACED, "")
                .event(4_000, PROCESS_ENDED, "how", "killed by signal 9")
                .diagnose();
        assertThat(diagnosis.causes())
                .extracting(NamedCause::cause)
                .containsExactly(Cause.PROCESS_ENDED, Cause.PROCESS_TRACED);
        assertThat(diagnosis.causes().get(0).durationMs()).isEqualTo(1_000);
    }

    /** Harm counts, not at whom. */
    @Test
    void shouldPutALongSilenceOfTheSenderBeforeAShorterStall() {
        assertThat(new Incident()
                        .stall(5, 110)
                        .absent(6, 108, ThreadAbsence.State.TRACED, "")
                        .elsewhere(500, FEED_SILENT, "exchange", silence(1_500, "stopped", 1_490))
                        .diagnose()
                        .causes())
                .extracting(NamedCause::cause)
                .containsExactly(Cause.SENDER_PAUSED, Cause.PROCESS_TRACED);
    }

    @Test
    void shouldNotCallTheMachineBusyWithoutASign() {
        assertThat(notes(silent(silence(300, "sleeping", 290))))
                .contains("exchange sent nothing for 300.0 ms: why is unknown")
                .contains("was sleeping for 290.0 ms of it")
                .doesNotContain("busy");
        assertThat(notes(silent(silence(300, "preempted", 290)))).contains("the machine was busy");
        assertThat(notes(silent(silence(300, "preempted", 20)))).doesNotContain("busy");
        assertThat(notes(silent(silence(300, "sleeping", 20)).elsewhere(10, TIMER_LATE, "lab", "latenessNs", 280 * MS)))
                .contains("an idle thread's timer was late for 280.0 ms of it");
    }

    @Test
    void shouldNotBlameASenderThatWasHaltedForAMomentOnly() {
        assertThat(silent(silence(300, "stopped", 20)).diagnose().causes()).isEmpty();
        assertThat(silent(silence(300, "stopped", 280)).diagnose().causes())
                .extracting(NamedCause::cause, NamedCause::confidence)
                .containsExactly(tuple(Cause.SENDER_PAUSED, Confidence.CERTAIN));
    }

    @Test
    void shouldCheckTheChainOfEachCause() {
        Diagnosis diagnosis = new Incident()
                .stall(2_000, 400)
                .absent(2_001, 398, ThreadAbsence.State.FROZEN, "")
                .stall(5, 150)
                .event(5.1, YIELDED, "durationMs", 149.0)
                .event(5.2, SYMBOL_BOUND, "symbol", "sched_yield", "durationMs", 148.0)
                .absent(5.3, 147, ThreadAbsence.State.SLEEPING, "hrtimer_nanosleep")
                .diagnose();
        assertThat(diagnosis.causes())
                .extracting(NamedCause::cause, NamedCause::confidence)
                .containsExactly(
                        tuple(Cause.PROCESS_FROZEN, Confidence.CERTAIN),
                        tuple(Cause.LATE_BINDING_DELAY, Confidence.LIKELY));
    }

    @Test
    void shouldBeCertainOfALossOnlyAfterLookingEverywhere() {
        Diagnosis blind = new Incident().nak(100).diagnose();
        assertThat(blind.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(blind.wouldSettle()).singleElement().asString().contains("not looked at", "firewall");
        assertThat(new Incident().nak(100).lookedEverywhere().diagnose().confidence())
                .isEqualTo(Confidence.CERTAIN);
        assertThat(new Incident()
                        .nak(100)
                        .discarded(99, "NETFILTER_DROP", 3)
                        .diagnose()
                        .confidence())
                .as("the place was found")
                .isEqualTo(Confidence.CERTAIN);
    }

    @Test
    void shouldNameWhatIsMissingInThisRun() {
        Incident alone = new Incident()
                .elsewhere(100, TRAFFIC_BURST, "exchange", "durationNs", 40 * MS)
                .loss(140);
        assertThat(alone.diagnose().wouldSettle())
                .singleElement()
                .asString()
                .contains("a second observer of the rate", "exchange");
        Incident half = new Incident()
                .stall(5, 150)
                .elsewhere(-5_000, KERNEL_RECORDED, "mds", "durationNs", 10_000 * MS)
                .absent(5, 90, ThreadAbsence.State.TRACED, "")
                .absent(95, 60, ThreadAbsence.State.BLOCKED, "io_schedule");
        assertThat(half.diagnose().wouldSettle()).singleElement().asString().contains("90.0 ms traced", "60.0 ms disk");
    }

    private static String notes(Incident incident) {
        return String.join("; ", incident.diagnose().noted());
    }

    private static Incident silent(Object[] details) {
        return new Incident().elsewhere(5, FEED_SILENT, "exchange", details);
    }

    private static Object[] silence(long ms, String senderState, long absentMs) {
        return new Object[] {
            "durationNs",
            ms * MS,
            "port",
            (long) Incident.FEED_PORT,
            "senderState",
            senderState,
            "senderAbsentNs",
            absentMs * MS,
            "senderThread",
            "exchange-context"
        };
    }

    private static Incident burst(double atMs) {
        return new Incident()
                .elsewhere(atMs, TRAFFIC_BURST, "exchange", "durationNs", 40 * MS)
                .elsewhere(atMs, TRAFFIC_BURST, "gateway-1", "durationNs", 40 * MS);
    }
}
