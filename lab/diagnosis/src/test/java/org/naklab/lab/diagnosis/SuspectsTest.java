package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.SLOW_CALLBACK;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.ThreadAbsence;

/** Suspects are ruled out by figures of their own over the stall, never because another cause was named. */
@Timeout(60)
final class SuspectsTest {
    private static final long MS = 1_000_000;
    private static final String CALLBACK_SERIES = "heartbeat.mds.mds-context.callbackNs";

    @Test
    void shouldRuleOutABurstByTheRateOfEachStreamOverTheStall() {
        Suspect burst = suspect(frozen().arrivals(-1_000, 2_000, 10_000), "traffic burst");
        assertThat(burst.ruledOut()).isTrue();
        assertThat(burst.figure())
                .contains("from 100 ms before the stall to its end")
                .contains("1,000,000 in 10 ms of stream 1001 session 7 (1,000,000 at other times)");
    }

    @Test
    void shouldNotRuleOutABurstInTheStallBecauseTheStallIsExplained() {
        Incident incident = frozen().arrivals(-1_000, 0, 10_000)
                .arrivals(10, 60, 90_000)
                .arrivals(70, 2_000, 10_000)
                .elsewhere(10, TRAFFIC_BURST, "gateway-1", "durationNs", 50 * MS);
        Suspect burst = suspect(incident, "traffic burst");
        assertThat(burst.ruledOut()).isFalse();
        assertThat(burst.figure()).contains("1 bursts by rule", "9,000,000 in 10 ms of stream 1001 session 7");
    }

    /** A burst at another time is none in the stall. */
    @Test
    void shouldNotCountABurstAtAnotherTime() {
        Incident incident = frozen().arrivals(-1_000, 1_000, 10_000)
                .arrivals(1_010, 1_060, 90_000)
                .elsewhere(1_010, TRAFFIC_BURST, "gateway-1", "durationNs", 50 * MS);
        assertThat(suspect(incident, "traffic burst").ruledOut()).isTrue();
    }

    /** The snapshots that another receiver gets once a second come in bursts and cannot fill this socket. */
    @Test
    void shouldNotAccuseAStreamThatTheReceiverDoesNotReceive() {
        Incident incident = frozen().arrivals("mds", 1001, -1_000, 2_000, 10, 10_000)
                .arrivals("gateway-1", 1002, 50, 60, 10, 90_000);
        Suspect burst = suspect(incident, "traffic burst");
        assertThat(burst.figure()).contains("stream 1001").doesNotContain("stream 1002");
        assertThat(burst.ruledOut()).isTrue();
    }

    /** The sampler reads more often while a thread is silent: that does not make the flow faster. */
    @Test
    void shouldMeasureRatesInTheStallOverAsLongAsAtOtherTimes() {
        Incident steady = frozen().arrivals("gateway-1", 1001, -1_000, 0, 100, 50_000)
                .arrivals("gateway-1", 1001, 20, 140, 20, 10_000)
                .arrivals("gateway-1", 1001, 300, 2_000, 100, 50_000);
        Suspect burst = suspect(steady, "traffic burst");
        assertThat(burst.figure()).contains("in 100 ms of stream 1001");
        assertThat(burst.ruledOut()).isTrue();

        Incident rush = frozen().arrivals("gateway-1", 1001, -1_000, 0, 100, 50_000)
                .arrivals("gateway-1", 1001, 20, 140, 20, 40_000)
                .arrivals("gateway-1", 1001, 300, 2_000, 100, 50_000);
        assertThat(suspect(rush, "traffic burst").ruledOut()).isFalse();
    }

    /** What waited for a receiver that stood still comes in at once when it goes on; it had arrived before. */
    @Test
    void shouldNotTakeWhatWaitedForTheReceiverForABurst() {
        Incident incident = frozen().arrivals("gateway-1", 1001, -1_000, 2_000, 10, 10_000);
        for (double atMs = -1_000; atMs <= 2_000; atMs += 10) {
            if (atMs <= 0 || atMs >= 150) {
                incident.reading("aeron.mds.stream1001.session7.highestPositionBytes", atMs, position(atMs));
            }
        }
        assertThat(suspect(incident, "traffic burst").ruledOut()).isTrue();
    }

    private static long position(double atMs) {
        return Math.round((atMs + 1_010) / 10) * 10_000;
    }

    @Test
    void shouldRuleOutBurstsThatCostNothingIfNothingStoodStill() {
        Incident harmless = new Incident()
                .arrivals(-1_000, 2_000, 10_000)
                .elsewhere(500, TRAFFIC_BURST, "gateway-1", "durationNs", 50 * MS);
        assertThat(suspect(harmless, "traffic burst").ruledOut()).isTrue();
        assertThat(suspect(harmless.loss(540), "traffic burst").ruledOut()).isFalse();
    }

    @Test
    void shouldCountTheBurstsAtWhichTheOwnSocketOverflowed() {
        Incident incident = frozen().arrivals(-1_000, 2_000, 10_000)
                .elsewhere(10, TRAFFIC_BURST, "mds", "durationNs", 50 * MS)
                .lossAtGateway(40);
        assertThat(suspect(incident, "traffic burst").figure())
                .contains("1 bursts by rule", "at 0 of them its socket overflowed");
        assertThat(suspect(incident.loss(40), "traffic burst").figure()).contains("at 1 of them its socket overflowed");
    }

    /** A burst that comes each second and costs nothing is a usual rate; one at which the receiver loses something is none. */
    @Test
    void shouldTakeTheRatesThatTheReceiverSurvivedAsUsual() {
        Incident each = frozen().arrivals("mds", 1002, -3_000, 4_000, 1_000, 90_000);
        for (double atMs = -3_000; atMs <= 4_000; atMs += 1_000) {
            each.elsewhere(atMs, TRAFFIC_BURST, "mds", "durationNs", 20 * MS);
        }
        assertThat(suspect(each, "traffic burst").ruledOut()).isTrue();

        Incident costly = frozen().arrivals("mds", 1002, -3_000, 4_000, 1_000, 90_000);
        for (double atMs = -3_000; atMs <= 4_000; atMs += 1_000) {
            costly.loss(atMs);
        }
        assertThat(suspect(costly, "traffic burst").ruledOut()).isFalse();
    }

    @Test
    void shouldNotRuleOutABurstThatNobodyLookedFor() {
        assertThat(suspect(frozen(), "traffic burst")).isEqualTo(new Suspect("traffic burst", false, "not looked at"));
        assertThat(suspect(new Incident(), "traffic burst").figure()).isEqualTo("not looked at");
    }

    @Test
    void shouldTellTheLongestCallbackWithinTheStall() {
        Incident incident = frozen().event(2_000, SLOW_CALLBACK, "durationNs", 900 * MS)
                .reading(CALLBACK_SERIES, 60, 12 * MS)
                .reading(CALLBACK_SERIES, 2_900, 900 * MS);
        Suspect callback = suspect(incident, "slow callback");
        assertThat(callback.ruledOut()).isTrue();
        assertThat(callback.figure()).contains("the longest callback in the stall took 12.0 ms of it");
        assertThat(suspect(frozen().reading(CALLBACK_SERIES, 2_900, 900 * MS), "slow callback")
                        .figure())
                .contains("no callback in the stall took a millisecond");
    }

    /** A watched process does not tell how long its callbacks take. */
    @Test
    void shouldNotRuleOutCallbacksThatNobodyMeasured() {
        assertThat(suspect(frozen(), "slow callback")).isEqualTo(new Suspect("slow callback", false, "not looked at"));
    }

    @Test
    void shouldJudgeTheRingByItsDepthInTheStall() {
        assertThat(suspect(frozen().ringFull(2_000, 100), "slow journal writes").ruledOut())
                .as("it was full at another time")
                .isTrue();
        assertThat(suspect(frozen().ringFull(20, 130), "slow journal writes").ruledOut())
                .isFalse();
        Suspect unseen = suspect(frozen().ringFull(), "slow journal writes");
        assertThat(unseen.ruledOut()).isFalse();
        assertThat(unseen.figure()).contains("ring full 1,000 times in the run", "not looked at");
    }

    /** What a stall cost does not excuse what was lost on the way. */
    @Test
    void shouldNotRuleOutALossOnTheWayBecauseSocketsDropped() {
        Incident both = frozen().loss(80).nak(3_000);
        assertThat(both.diagnose().causes()).extracting(NamedCause::cause).contains(Cause.NETWORK_LOSS);
        assertThat(suspect(both, "loss on the network").ruledOut()).isFalse();
        assertThat(suspect(frozen().loss(80), "loss on the network").ruledOut()).isTrue();
        assertThat(suspect(frozen().loss(80).lostOnTheWay(960), "loss on the network")
                        .ruledOut())
                .isFalse();
    }

    @Test
    void shouldNotRuleOutALossThatNobodyCanHaveSeen() {
        Suspect network = suspect(frozen().withoutNaks(), "loss on the network");
        assertThat(network.ruledOut()).isFalse();
        assertThat(network.figure()).contains("not looked at", "firewall");
        assertThat(suspect(frozen().withoutNaks().lookedEverywhere(), "loss on the network")
                        .ruledOut())
                .isTrue();
    }

    @Test
    void shouldGiveAFigureWithoutAStall() {
        Suspect seen = suspect(new Incident().reading("heartbeat.mds.mds-context.gapNs", 5, 4 * MS), "process paused");
        assertThat(seen).isEqualTo(new Suspect("process paused", true, "no stall; the longest duty cycle took 4.0 ms"));
        assertThat(suspect(new Incident().maximum("heartbeat.mds.mds-context.longestGapNs", 0), "process paused")
                        .figure())
                .isEqualTo("no stall; no duty cycle took a millisecond");
        assertThat(suspect(new Incident().recorded(), "disk or file system").figure())
                .isEqualTo("no stall; the kernel recorder covered 100 % of the time");
        assertThat(suspect(new Incident(), "disk or file system"))
                .isEqualTo(new Suspect("disk or file system", false, "not looked at"));
        Suspect noted =
                suspect(new Incident().stall(5, 25, "processorWaitMs", 25.0), "pre-emption of the receipt thread");
        assertThat(noted.ruledOut()).isTrue();
        assertThat(noted.figure())
                .contains("at most 25.0 ms runnable without a CPU")
                .contains("1 stalls that cost no datagram");
    }

    @Test
    void shouldPutTheCauseFirstWhateverElseIsNotRuledOut() {
        Diagnosis diagnosis = frozen().diagnose();
        assertThat(diagnosis.suspects().get(0).name()).isEqualTo("process paused");
        assertThat(diagnosis.suspects().get(0).ruledOut()).isFalse();
        Diagnosis late = new Incident()
                .stall(5, 150)
                .elsewhere(6, TIMER_LATE, "lab", "latenessNs", 148 * MS)
                .diagnose();
        assertThat(late.suspects().get(0)).satisfies(suspect -> {
            assertThat(suspect.name()).isEqualTo("machine stalled");
            assertThat(suspect.figure()).startsWith("148.0 of 150.0 ms");
        });
    }

    @Test
    void shouldNotTakeDamagedDatagramsForAnOverflow() {
        Incident damaged = new Incident()
                .event(100, DATAGRAMS_DROPPED, "datagrams", 300L, "port", (long) Incident.FEED_PORT)
                .discarded(99, "UDP_CSUM", 300)
                .nak(150);
        assertThat(suspect(damaged, "loss on the network").ruledOut()).isFalse();
    }

    private static Incident frozen() {
        return new Incident().stall(5, 150).absent(6, 148, ThreadAbsence.State.FROZEN, "");
    }

    private static Suspect suspect(Incident incident, String name) {
        return incident.diagnose().suspects().stream()
                .filter(suspect -> suspect.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
