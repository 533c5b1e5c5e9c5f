package org.naklab.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SlicedRunTest {
    @Test
    void shouldCompareASliceWithThoseBesideIt() {
        assertThat(SlicedRun.loss(1_000, 980, 1_000)).isCloseTo(0.02, within(1e-9));
        assertThat(SlicedRun.loss(1_000, 1_000, 1_000)).isZero();
        assertThat(SlicedRun.loss(1_000, 1_100, 1_000)).isNegative();
    }

    @Test
    void shouldNotTakeADriftForALoss() {
        assertThat(SlicedRun.loss(1_000, 900, 800)).isCloseTo(0, within(1e-9));
        assertThat(SlicedRun.loss(800, 882, 1_000)).isCloseTo(0.02, within(1e-9));
    }
}
