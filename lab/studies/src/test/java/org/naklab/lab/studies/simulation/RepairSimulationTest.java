package org.naklab.lab.studies.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.TransportProfile;

@Timeout(120)
class RepairSimulationTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final RepairSettings AERON = RepairSettings.of(TransportProfile.AERON);
    private static final RepairSettings LBTRM = RepairSettings.of(TransportProfile.LBTRM);

    @Test
    void shouldGiveTheSameFiguresForTheSameSeed() {
        GroupLoad load = load(50, 0.001, 0.001, 1, 150 * MS);
        assertThat(run(load, AERON, 7)).isEqualTo(run(load, AERON, 7)).isNotEqualTo(run(load, AERON, 8));
    }

    @Test
    void shouldDoNothingWithoutLoss() {
        RepairFigures figures = run(load(100, 0, 0, 0, 0), AERON, 1);

        assertThat(figures.naksSent()).isZero();
        assertThat(figures.retransmits()).isZero();
        assertThat(figures.recovery().count()).isZero();
        assertThat(figures.hasStorm()).isFalse();
    }

    @Test
    void shouldMeetTheSameLossesWithOtherBackOffs() {
        GroupLoad load = load(20, 0, 0.002, 0, 0);
        assertThat(run(load, AERON, 3).lostOnTheWay())
                .isPositive()
                .isEqualTo(run(load, LBTRM, 3).lostOnTheWay());
    }

    @Test
    void shouldAskOnceForEachLossOfOneReceiverAndRecoverWithinTheBackOff() {
        RepairFigures figures = run(load(1, 0.001, 0, 0, 0), AERON, 5);

        assertThat(figures.lostOnTheWay()).isPositive();
        assertThat(figures.recovery().count()).isEqualTo(figures.lostOnTheWay());
        assertThat(figures.naksSent()).isBetween(figures.retransmits(), figures.lostOnTheWay() + 2);
        assertThat(figures.recovery().p50Us()).isBetween(3_000.0, 12_000.0);
        assertThat(run(load(1, 0.001, 0, 0, 0), LBTRM, 5).recovery().p50Us()).isBetween(25_000.0, 80_000.0);
    }

    @Test
    void shouldSuppressMostNaksOfASharedLoss() {
        RepairFigures figures = run(load(10, 0, 0.002, 0, 0), AERON, 5);

        assertThat(figures.lostOnTheWay() % 10).isZero();
        assertThat(figures.naksSuppressed()).isGreaterThan(figures.naksSent());
        assertThat(figures.unrecovered()).isZero();
    }

    @Test
    void shouldSendFewerNaksOfALargeGroupThatKnowsItsSize() {
        GroupLoad load = load(10_000, 0, 0.002, 0, 0);
        RepairSettings informed = AERON.withBackOff(new NakBackOff.Optimal(10 * MS, 10_000));

        assertThat(run(load, informed, 1).naksSent() * 4)
                .isLessThan(run(load, AERON, 1).naksSent());
    }

    @Test
    void shouldPayForADatagramLostTwiceWithTheIgnoreInterval() {
        GroupLoad load = load(1, 0.05, 0, 0, 0);
        RepairSettings fast = LBTRM.withBackOff(new NakBackOff.Uniform(2 * MS, 4 * MS));
        RepairSettings trap = fast.withIgnoring(1_000 * MS, 0);

        assertThat(run(load, fast, 9).recovery().maxUs()).isLessThan(400_000);
        assertThat(run(load, trap, 9).naksIgnored()).isPositive();
        assertThat(run(load, trap, 9).recovery().maxUs()).isGreaterThan(1_000_000);
    }

    @Test
    void shouldNotAskWhileItIsToldNotTo() {
        GroupLoad load = load(1, 0.05, 0, 0, 0);
        RepairSettings trap =
                LBTRM.withBackOff(new NakBackOff.Uniform(2 * MS, 4 * MS)).withIgnoring(500 * MS, 0);

        assertThat(run(load, trap.withIgnoring(500 * MS, 1_000 * MS), 9).naksIgnored())
                .isLessThan(run(load, trap, 9).naksIgnored());
    }

    @Test
    void shouldLoseInAStalledReceiverWhatItsSocketDoesNotHold() {
        GroupLoad load = load(4, 0, 0, 1, 150 * MS);
        RepairFigures figures = run(load, AERON, 2);

        // 5,000/s for 150 ms are 750 datagrams, and 315 of 832 bytes fit into 256 KiB.
        assertThat(figures.lostBySlow()).isBetween(430L, 440L);
        assertThat(figures.recovery().count()).isEqualTo(figures.lostBySlow());
        assertThat(run(load, LBTRM, 2).lostBySlow()).isZero();
    }

    @Test
    void shouldMakeAStormOfLongAnswersAndEndItByALimit() {
        GroupLoad load = load(1_000, 0, 0, 1, 150 * MS);
        GroupNetwork slowReaders = new GroupNetwork(20_000, 200_000, 3_000, 30_000, 2_000);
        RepairStudy.Document study = RepairStudy.run(load, slowReaders, AERON, 4);

        assertThat(study.figures().storm()).contains(StormSign.HEALTHY_RECEIVERS_LOSE);
        assertThat(study.figures().lostByHealthy()).isPositive();
        assertThat(study.remedies())
                .filteredOn(RepairStudy.Remedied::prevents)
                .extracting(RepairStudy.Remedied::setting)
                .containsExactly("receive buffers 8 MiB");
        // A limit ends the storm, but the slow receiver's window passes before it has everything.
        assertThat(study.remedies())
                .filteredOn(remedied -> remedied.setting().startsWith("retransmit limit"))
                .allMatch(remedied ->
                        !remedied.figures().hasStorm() && remedied.figures().unrecovered() > 0);
    }

    @Test
    void shouldNotTakeForLostWhatStillWaitsInTheSocket() {
        GroupLoad load = new GroupLoad(2, 5_000, 96, 832, 2_000 * MS, 0, 0, 1, 1, 1, 1_800 * MS, 0, 190_000);
        RepairFigures figures = run(load, LBTRM, 1);

        assertThat(figures.lostBySlow()).isZero();
        assertThat(figures.naksSent()).isZero();
        assertThat(figures.unrecovered()).isZero();
    }

    @Test
    void shouldNotCallARepairAStormThatOnlyOutlastsTheFeed() {
        RepairFigures figures = run(load(10, 0, 0.1, 0, 0), AERON, 42);

        assertThat(figures.peakNaksPerSecond() + figures.peakRetransmittedPerSecond())
                .isPositive()
                .isLessThan(5_000);
        assertThat(figures.storm()).doesNotContain(StormSign.REPAIR_EXCEEDS_DATA);
    }

    @Test
    void shouldSimulateTenThousandReceivers() {
        RepairFigures figures = run(load(10_000, 0.0001, 0.001, 1, 150 * MS), LBTRM, 1);

        assertThat(figures.datagrams()).isEqualTo(10_000);
        assertThat(figures.lostOnTheWay()).isGreaterThan(10_000);
    }

    private static RepairFigures run(GroupLoad load, RepairSettings settings, long seed) {
        return RepairSimulation.run(load, GroupNetwork.DEFAULT, settings, seed);
    }

    private static GroupLoad load(int receivers, double loss, double correlated, int slow, long stallNs) {
        return new GroupLoad(receivers, 5_000, 256, 832, 2_000 * MS, loss, correlated, 1, 1, slow, stallNs, 0, 2_000);
    }
}
