package org.naklab.lab.studies.detection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Matrix;

/** What the bench says, not how fast this machine is today. */
@Timeout(120)
@Matrix
class ObserverBenchTest {
    private static final int TICKS = 600;

    private static final Path ANGLER = Path.of(System.getProperty("naklab.root"), "lab", "studies", "target", "angler");

    @Test
    void shouldMeasureEachWayWithAndWithoutIdleSockets() {
        List<SampleCost> costs = ObserverBench.sampleCosts(200, ANGLER, 100);

        assertThat(costs)
                .extracting(SampleCost::method)
                .containsExactly("pidfd", "netlink", "proc_net", "angler", "pidfd", "netlink", "proc_net", "angler");
        assertThat(costs).extracting(SampleCost::idleSockets).containsExactly(0, 0, 0, 0, 200, 200, 200, 200);
        assertThat(costs).allSatisfy(cost -> {
            assertThat(cost.sockets()).isEqualTo(1);
            assertThat(cost.medianNs()).isBetween(1L, cost.p99Ns());
        });
    }

    @Test
    void shouldMeasureItsOwnWaysWhenAnglerIsNotThere() {
        assertThat(ObserverBench.sampleCosts(1, Path.of("no-such-directory"), 100))
                .hasSize(6);
    }

    @Test
    void shouldMeasureHowSoonTheFirstDropIsSeen() {
        assertThat(DetectionBench.detectionLatenciesNs(3)).hasSize(3).allMatch(latencyNs -> latencyNs >= 0);
    }

    @Test
    void shouldMeasureWhatTheSamplerAddsInTurns() {
        SamplerOverhead overhead = DetectionBench.samplerOverhead(3, TICKS);
        assertThat(overhead.rounds()).hasSize(3);
        assertThat(overhead.statistics().ticks()).isGreaterThanOrEqualTo(3 * TICKS);
        overhead.rounds().forEach(round -> {
            assertMeasured(round.wakeUps());
            assertMeasured(round.sampler());
        });
        double[] added = overhead.rounds().stream()
                .mapToDouble(SamplerOverhead.Round::addedShare)
                .sorted()
                .toArray();
        assertThat(overhead.addedShare()).isEqualTo(added[1]);
    }

    private static void assertMeasured(SamplerCost cost) {
        assertThat(cost.statistics().ticks()).isGreaterThanOrEqualTo(TICKS);
        assertThat(cost.statistics().cpuShare()).isBetween(0.0, 1.0);
        // A machine that stands still makes the intervals longer and fewer, but never none.
        assertThat(cost.tenths()).isNotEmpty().allMatch(share -> share >= 0).anyMatch(share -> share > 0);
        double median = cost.tenths().stream()
                .sorted()
                .skip((cost.tenths().size() - 1) / 2)
                .findFirst()
                .orElseThrow();
        assertThat(cost.medianShare()).isCloseTo(median, withinPercentage(0.1));
    }
}
