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

        assertThat(figures.naks().naksSent()).isZero();
        assertThat(figures.answers().retransmits()).isZero();
        assertThat(figures.outcome().recovery().count()).isZero();
        assertThat(figures.hasStorm()).isFalse();
    }

    @Test
    void shouldMeetTheSameLossesWithOtherBackOffs() {
        GroupLoad load = load(20, 0, 0.002, 0, 0);
        assertThat(run(load, AERON, 3).losses().lostOnTheWay())
                .isPositive()
                .isEqualTo(run(load, LBTRM, 3).losses().lostOnTheWay());
    }

    @Test
    void shouldAskOnceForEachLossOfOneReceiverAndRecoverWithinTheBackOff() {
        RepairFigures figures = run(load(1, 0.001, 0, 0, 0), AERON, 5);

        assertThat(figures.losses().lostOnTheWay()).isPositive();
        assertThat(figures.outcome().recovery().count())
                .isEqualTo(figures.losses().lostOnTheWay());
        assertThat(figures.naks().naksSent())
                .isBetween(figures.answers().retransmits(), figures.losses().lostOnTheWay() + 2);
        assertThat(figures.outcome().recovery().p50Us()).isBetween(3_000.0, 12_000.0);
        assertThat(run(load(1, 0.001, 0, 0, 0), LBTRM, 5).outcome().recovery().p50Us())
                .isBetween(25_000.0, 80_000.0);
    }

    @Test
    void shouldSuppressMostNaksOfASharedLoss() {
        RepairFigures figures = run(load(10, 0, 0.002, 0, 0), AERON, 5);

        assertThat(figures.losses().lostOnTheWay() % 10).isZero();
        assertThat(figures.naks().naksSuppressed()).isGreaterThan(figures.naks().naksSent());
        assertThat(figures.outcome().unrecovered()).isZero();
    }

    @Test
    void shouldSendFewerNaksOfALargeGroupThatKnowsItsSize() {
        GroupLoad load = load(10_000, 0, 0.002, 0, 0);
        RepairSettings informed = AERON.withBackOff(new NakBackOff.Optimal(10 * MS, 10_000));

        assertThat(run(load, informed, 1).naks().naksSent() * 4)
                .isLessThan(run(load, AERON, 1).naks().naksSent());
    }

    @Test
    void shouldPayForADatagramLostTwiceWithTheIgnoreInterval() {
        GroupLoad load = load(1, 0.05, 0, 0, 0);
        RepairSettings fast = LBTRM.withBackOff(new NakBackOff.Uniform(2 * MS, 4 * MS));
        RepairSettings trap = fast.withIgnoring(1_000 * MS, 0);

        assertThat(run(load, fast, 9).outcome().recovery().maxUs()).isLessThan(400_000);
        assertThat(run(load, trap, 9).naks().naksIgnored()).isPositive();
        assertThat(run(load, trap, 9).outcome().recovery().maxUs()).isGreaterThan(1_000_000);
    }

    @Test
    void shouldNotAskWhileItIsToldNotTo() {
        GroupLoad load = load(1, 0.05, 0, 0, 0);
        RepairSettings trap =
                LBTRM.withBackOff(new NakBackOff.Uniform(2 * MS, 4 * MS)).withIgnoring(500 * MS, 0);

        assertThat(run(load, trap.withIgnoring(500 * MS, 1_000 * MS), 9).naks().naksIgnored())
                .isLessThan(run(load, trap, 9).naks().naksIgnored());
    }

    @Test
    void shouldLoseInAStalledReceiverWhatItsSocketDoesNotHold() {
        GroupLoad load = load(4, 0, 0, 1, 150 * MS);
        RepairFigures figures = run(load, AERON, 2);

        // 5,000/s for 150 ms are 750 datagrams, and 315 of 832 bytes fit into 256 KiB.
        assertThat(figures.losses().lostBySlow()).isBetween(430L, 440L);
        assertThat(figures.outcome().recovery().count())
                .isEqualTo(figures.losses().lostBySlow());
        assertThat(run(load, LBTRM, 2).losses().lostBySlow()).isZero();
    }

    @Test
    void shouldMakeAStormOfLongAnswersAndEndItByALimit() {
        GroupLoad load = load(1_000, 0, 0, 1, 150 * MS);
        GroupNetwork slowReaders = new GroupNetwork(20_000, 200_000, 3_000, 30_000, 2_000);
        RepairStudy.Document study = RepairStudy.run(load, slowReaders, AERON, 4);

        assertThat(study.figures().outcome().storm()).contains(StormSign.HEALTHY_RECEIVERS_LOSE);
        assertThat(study.figures().losses().lostByHealthy()).isPositive();
        assertThat(study.remedies())
                .filteredOn(RepairStudy.Remedied::prevents)
                .extracting(RepairStudy.Remedied::setting)
                .containsExactly("receive buffers 8 MiB");
        // A limit ends the storm, but the slow receiver's window passes before it has everything.
        assertThat(study.remedies())
                .filteredOn(remedied -> remedied.setting().startsWith("retransmit limit"))
                .allMatch(remedied -> !remedied.figures().hasStorm()
                        && remedied.figures().outcome().unrecovered() > 0);
    }

    @Test
    void shouldNotTakeForLostWhatStillWaitsInTheSocket() {
        GroupLoad load = new GroupLoad(
                new GroupLoad.Traffic(2, 5_000, 96, 832, 2_000 * MS),
                new GroupLoad.Loss(0, 0, 1, 1),
                new GroupLoad.Slow(1, 1_800 * MS, 0, 190_000));
        RepairFigures figures = run(load, LBTRM, 1);

        assertThat(figures.losses().lostBySlow()).isZero();
        assertThat(figures.naks().naksSent()).isZero();
        assertThat(figures.outcome().unrecovered()).isZero();
    }

    @Test
    void shouldNotCallARepairAStormThatOnlyOutlastsTheFeed() {
        RepairFigures figures = run(load(10, 0, 0.1, 0, 0), AERON, 42);

        assertThat(figures.answers().peakNaksPerSecond() + figures.answers().peakRetransmittedPerSecond())
                .isPositive()
                .isLessThan(5_000);
        assertThat(figures.outcome().storm()).doesNotContain(StormSign.REPAIR_EXCEEDS_DATA);
    }

    @Test
    void shouldSimulateTenThousandReceivers() {
        RepairFigures figures = run(load(10_000, 0.0001, 0.001, 1, 150 * MS), LBTRM, 1);

        assertThat(figures.datagrams()).isEqualTo(10_000);
        assertThat(figures.losses().lostOnTheWay()).isGreaterThan(10_000);
    }

    private static RepairFigures run(GroupLoad load, RepairSettings settings, long seed) {
        return RepairSimulation.run(load, GroupNetwork.DEFAULT, settings, seed);
    }

    private static GroupLoad load(int receivers, double loss, double correlated, int slow, long stallNs) {
        return new GroupLoad(
                new GroupLoad.Traffic(receivers, 5_000, 256, 832, 2_000 * MS),
                new GroupLoad.Loss(loss, correlated, 1, 1),
                new GroupLoad.Slow(slow, stallNs, 0, 2_000));
    }
}
