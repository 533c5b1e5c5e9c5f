package org.naklab.lab.studies.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchCostTest {
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @Test
    void shouldHaveTheIntervalOfStudentsDistribution() {
        WatchCost.Estimate estimate = WatchCost.Estimate.of(List.of(1.0, 2.0, 3.0));

        assertThat(estimate.mean()).isEqualTo(2);
        assertThat(estimate.from()).isCloseTo(2 - 4.30 / Math.sqrt(3), within(0.01));
        assertThat(estimate.to()).isCloseTo(2 + 4.30 / Math.sqrt(3), within(0.01));
    }

    /** A stand-in for the watch computes in a process that it has started. */
    @Test
    void shouldCountAllProcessesOfAWatchAndWhatTheReceiverPays() throws IOException {
        List<Integer> rounds = new ArrayList<>();
        WatchCost.Figures figures = WatchCost.run(
                List.of("sh", "-c", "(while :; do :; done) & echo watching $0; cat; kill $!"),
                WatchCost.Load.BUSY,
                5_000,
                2,
                SLICE_NS,
                SLICE_NS,
                rounds::add);

        assertThat(rounds).containsExactly(0, 1);
        assertThat(figures.coreShare().mean()).isPositive();
        assertThat(figures.threadCoreShares()).containsOnlyKeys("sh");
        assertThat(figures.receiverCoreShare()).isBetween(0.001, 1.0);
        assertThat(figures.loss().from()).isLessThan(figures.loss().to());
    }
}
