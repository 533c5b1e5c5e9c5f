package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
final class ShareDifferenceTest {
    /** The example of Newcombe's paper: 56 of 70 against 48 of 80. */
    @Test
    void shouldAgreeWithThePublishedInterval() {
        ShareDifference difference = ShareDifference.of(WilsonInterval.of(56, 70), WilsonInterval.of(48, 80));
        assertThat(difference.low()).isCloseTo(0.0524, within(5e-5));
        assertThat(difference.high()).isCloseTo(0.3339, within(5e-5));
    }

    @Test
    void shouldKnowNothingWithoutATrial() {
        assertThat(ShareDifference.of(WilsonInterval.of(0, 0), WilsonInterval.of(3, 3)))
                .isEqualTo(new ShareDifference(0, -1, 1));
    }
}
