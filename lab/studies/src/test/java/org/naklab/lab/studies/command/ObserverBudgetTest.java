package org.naklab.lab.studies.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObserverBudgetTest {
    /** The limit is on what the sampler adds, however dear waking up is on the machine. */
    @Test
    void shouldHoldBelowItsLimit() {
        ObserverBudget limit = ObserverBudget.ofSampler(0.0069, 0.0279);

        assertThat(limit.holds()).isTrue();
        assertThat(limit)
                .hasToString(
                        "added by the sampler to waking up: 0.69 % of a core (waking up alone 2.79 %), limit 1.00: met");
    }

    @Test
    void shouldMissItsLimitWhereWakingUpIsCheap() {
        ObserverBudget limit = ObserverBudget.ofSampler(0.0123, 0.004);

        assertThat(limit.holds()).isFalse();
        assertThat(limit)
                .hasToString(
                        "added by the sampler to waking up: 1.23 % of a core (waking up alone 0.40 %), limit 1.00: missed");
    }
}
