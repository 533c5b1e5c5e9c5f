package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.experiment.Answer;

@Timeout(60)
final class WilsonIntervalTest {
    /** Values of R's prop.test(..., correct = FALSE). */
    @ParameterizedTest
    @CsvSource({
        " 0, 10, 0.0000, 0.2775",
        "10, 10, 0.7225, 1.0000",
        " 5, 10, 0.2366, 0.7634",
        " 1, 10, 0.0179, 0.4042",
        "81, 263, 0.2553, 0.3662",
    })
    void shouldGiveWilsonsInterval(int hits, int trials, double low, double high) {
        WilsonInterval proportion = WilsonInterval.of(hits, trials);
        assertThat(proportion.low()).isEqualTo(low, within(5e-5));
        assertThat(proportion.high()).isEqualTo(high, within(5e-5));
    }

    @Test
    void shouldKnowNothingWithoutTrials() {
        assertThat(WilsonInterval.of(0, 0)).isEqualTo(new WilsonInterval(0, 0, 0, 1));
    }

    @Test
    void shouldRefuseMoreHitsThanTrials() {
        assertThatThrownBy(() -> WilsonInterval.of(2, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, NOT_KNOWN",
        "3, 0, 0, REMOVES_THE_CAUSE",
        "3, 3, 0, HIDES_THE_SYMPTOM",
        "3, 3, 9, DOES_NOT_HELP",
        "3, 0, 1, DOES_NOT_HELP",
    })
    void shouldTellARemedyFromAHidingPlace(int runs, long stalls, long naks, Answer expected) {
        assertThat(RemedySummary.effect(runs, stalls, naks)).isEqualTo(expected);
    }

    @Test
    void shouldSayTheCountsAndTheInterval() {
        assertThat(WilsonInterval.of(5, 20).text()).isEqualTo("5 of 20, 11 to 47 %");
    }
}
