package org.naklab.lab.studies.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Matrix;

/** What the bench says, not what it costs on this machine today. */
@Matrix
@Timeout(120)
class ObserverOverheadTest {
    private static final int EVENTS = 4_000_000;

    @Test
    void shouldMeasureInTurns() throws Exception {
        List<Integer> progress = new ArrayList<>();
        ObserverOverhead.Figures figures = ObserverOverhead.run(42, EVENTS, 2, progress::add);

        assertThat(figures.losses()).hasSizeGreaterThanOrEqualTo(2).isSorted();
        assertThat(figures.cost().lossFrom()).isLessThanOrEqualTo(figures.cost().loss());
        assertThat(figures.cost().lossTo())
                .isGreaterThanOrEqualTo(figures.cost().loss());
        assertThat(figures.rates().watchedPerSecond()).isPositive();
        assertThat(figures.rates().alonePerSecond()).isPositive();
        assertThat(figures.cores().samplerCoreShare()).isBetween(0.000_1, 1.0);
        assertThat(figures.cores().threadCoreShares()).containsKeys("naklab-sampler", "naklab-backgrnd");
        assertThat(figures.replicaCost().replicaLossFrom())
                .isLessThanOrEqualTo(figures.replicaCost().replicaLossTo());
        assertThat(figures.cores().observerCoreShare())
                .isGreaterThanOrEqualTo(figures.cores().samplerMeanCoreShare());
        assertThat(figures.instruments())
                .extracting(ObserverOverhead.InstrumentShare::instrument)
                .contains("SocketDepth", "Aeron", "Thread", "DutyCycle", "(looks)");
        assertThat(progress).first().isEqualTo(0);
    }
}
