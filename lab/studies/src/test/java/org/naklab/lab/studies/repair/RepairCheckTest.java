package org.naklab.lab.studies.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.testing.Matrix;

/**
 * The short form of {@code naklab bench repair --check}: real groups of 2, 4 and 8 receivers, and the simulation of the same. Counts are asserted, with LBT-RM, whose
 * back-offs are much longer than the sleeps of the threads. The latencies, and the counts with shorter back-offs, depend on how busy the machine is, and
 * are for the long form.
 */
@Timeout(120)
@Matrix
class RepairCheckTest {
    private static final long SEED = 7;
    private static final List<String> COUNTS = List.of("lost", "NAKs", "retransmits", "datagrams again");

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void shouldSimulateTheCountsOfARealGroupWithinATolerance(int receivers) {
        RepairLoad load = new RepairLoad(receivers, 2_000, TimeUnit.SECONDS.toNanos(2), 0.004, 0, 0, 1 << 20);
        assertThat(RepairCheck.of(RepairArm.LBTRM, "loss", load, SEED))
                .filteredOn(each -> COUNTS.contains(each.figure()))
                .hasSameSizeAs(COUNTS)
                .allSatisfy(
                        each -> assertThat(each.isWithin()).as(each.toString()).isTrue());
    }

    @Test
    void shouldTellADeviationFromATolerableDifference() {
        assertThat(deviation(100, 120).isWithin()).isTrue();
        assertThat(deviation(100, 79).isWithin()).isFalse();
        assertThat(deviation(0, 1).isWithin()).isFalse();
        assertThat(deviation(0, 0).isWithin()).isTrue();
        assertThat(deviation(200, 150).ratio()).isEqualTo(0.75);
    }

    private static RepairCheck.Deviation deviation(double measured, double simulated) {
        return new RepairCheck.Deviation(2, RepairArm.LBTRM, "loss", "NAKs", measured, simulated);
    }
}
