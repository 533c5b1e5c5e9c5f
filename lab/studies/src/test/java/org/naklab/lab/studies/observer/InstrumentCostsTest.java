package org.naklab.lab.studies.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.instruments.sampling.InstrumentCost;

@Timeout(60)
class InstrumentCostsTest {
    @Test
    void shouldBeReadFromItsLine() {
        InstrumentCosts costs = new InstrumentCosts(
                List.of(new InstrumentCost("(looks)", 1_000, 3_000_000), new InstrumentCost("Thread", 50, 2_500_000)),
                1_000_000_000);

        assertThat(InstrumentCosts.parse(costs.toString())).isEqualTo(costs);
        assertThat(InstrumentCosts.parse(new InstrumentCosts(List.of(), 7).toString()))
                .isEqualTo(new InstrumentCosts(List.of(), 7));
    }

    @Test
    void shouldAddUpInstrumentsOfOneName() {
        InstrumentCosts costs = new InstrumentCosts(
                List.of(
                        new InstrumentCost("Gauge", 50, 100_000),
                        new InstrumentCost("Thread", 50, 2_500_000),
                        new InstrumentCost("Gauge", 50, 300_000)),
                1_000_000_000);

        assertThat(costs.shares())
                .containsExactly(
                        new ObserverOverhead.InstrumentShare("Thread", 50, 50, 0.0025),
                        new ObserverOverhead.InstrumentShare("Gauge", 100, 4, 0.0004));
    }
}
