package org.naklab.lab.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObserverBudgetTest {
    @Test
    void shouldHoldBelowItsLimit() {
        ObserverBudget limit = ObserverBudget.ofSampler(0.0169, 0.01);

        assertThat(limit.holds()).isTrue();
        assertThat(limit).hasToString("sampler's share of a core: 1.69 %, limit 2.00: met");
    }

    @Test
    void shouldBeTheSamplersOwnWhereWakingUpAloneIsCheap() {
        ObserverBudget limit = ObserverBudget.ofSampler(0.0323, 0.012);

        assertThat(limit.holds()).isFalse();
        assertThat(limit.isOutOfReach()).isFalse();
        assertThat(limit).hasToString("sampler's share of a core: 3.23 %, limit 2.00: missed");
    }

    @Test
    void shouldSayThatNothingCouldHoldItWhereWakingUpAloneIsDearer() {
        ObserverBudget limit = ObserverBudget.ofSampler(0.0323, 0.0264);

        assertThat(limit.holds()).isFalse();
        assertThat(limit.isOutOfReach()).isTrue();
        assertThat(limit)
                .hasToString("sampler's share of a core: 3.23 %, limit 2.00: missed; on this machine"
                        + " waking up alone takes 2.64 %");
    }

    /** A limit that holds is not out of reach, whatever waking up is said to take: two measurements, one after the other. */
    @Test
    void shouldNotBeOutOfReachWhenItHolds() {
        assertThat(ObserverBudget.ofSampler(0.0199, 0.0201).isOutOfReach()).isFalse();
    }
}
