package org.naklab.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MedianIntervalTest {
    /** The ranks of the sign test's tables. */
    @Test
    void shouldCutOffWhatAFairCoinWouldSeldomReach() {
        assertThat(of(20)).isEqualTo(new MedianInterval(6, 10.5, 15));
        assertThat(of(9)).isEqualTo(new MedianInterval(2, 5, 8));
    }

    @Test
    void shouldSayNoMoreThanTheSpanOfFewValues() {
        assertThat(of(5)).isEqualTo(new MedianInterval(1, 3, 5));
        assertThat(of(1)).isEqualTo(new MedianInterval(1, 1, 1));
    }

    private static MedianInterval of(int count) {
        return MedianInterval.of(
                IntStream.rangeClosed(1, count).asDoubleStream().toArray());
    }
}
