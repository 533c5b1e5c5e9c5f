package org.naklab.lab.studies.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Matrix;

/** Asserts what holds however busy the machine is: no time is compared. */
@Timeout(120)
@Matrix
class RepairGroupTest {
    private static final long SEED = 7;

    @Test
    void shouldLoseTheSameDatagramsWithEachProfileAndRecoverThem() {
        RepairLoad load = load(0.01, 0, 1 << 20);
        MeasuredRepair lbtrm = new RepairGroup(RepairArm.LBTRM, load, SEED).run();
        MeasuredRepair aeron = new RepairGroup(RepairArm.AERON_TUNED, load, SEED).run();

        assertThat(aeron.unrecovered()).isZero();
        assertThat(lbtrm.unrecovered()).isZero();
        assertThat(lbtrm.latencies().recovery().count())
                .isPositive()
                .isEqualTo(aeron.latencies().recovery().count());
        assertThat(lbtrm.counts().lostOnTheWay())
                .isGreaterThanOrEqualTo(lbtrm.latencies().recovery().count());
        assertThat(lbtrm.counts().naksSent()).isPositive();
        assertThat(lbtrm.counts().retransmits()).isPositive();
        assertThat(lbtrm.latencies().delivery().count()).isEqualTo(2L * load.datagrams());
    }

    @Test
    void shouldLoseTheSameAsTheSimulation() {
        RepairBench.Row row = RepairBench.row(RepairArm.AERON_TUNED, "loss", load(0.01, 0, 1 << 20), SEED);

        assertThat(row.measured().latencies().recovery().count())
                .isEqualTo(row.simulated().outcome().recovery().count());
    }

    @Test
    void shouldOverflowTheSocketOfAReceiverThatStalls() {
        MeasuredRepair measured =
                new RepairGroup(RepairArm.LBTRM, load(0, TimeUnit.MILLISECONDS.toNanos(150), 64 << 10), SEED).run();

        assertThat(measured.counts().lostOnTheWay()).isZero();
        assertThat(measured.latencies().recovery().count()).isPositive();
        assertThat(measured.unrecovered()).isZero();
    }

    @Test
    void shouldLeaveNoPropertyOfAeronBehind() {
        new RepairGroup(RepairArm.AERON_TUNED, load(0, 0, 1 << 20), SEED).run();
        assertThat(System.getProperty("aeron.nak.multicast.max.backoff")).isNull();
    }

    private static RepairLoad load(double loss, long stallNs, int bufferBytes) {
        return new RepairLoad(
                2, 2_000, TimeUnit.SECONDS.toNanos(1), loss, stallNs, TimeUnit.SECONDS.toNanos(1), bufferBytes);
    }
}
