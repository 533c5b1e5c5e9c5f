package org.naklab.lab.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class AnytimeIntervalTest {
    private static final int SEQUENCES = 2_000;
    private static final int LENGTH = 40;

    /** Whoever looks after each value is wrong in at most 5 % of the sequences: an ordinary 95 % interval is wrong in far more. */
    @Test
    void shouldHoldHoweverOftenOneLooks() {
        Random random = new Random(7);
        int misses = 0;
        int ordinaryMisses = 0;
        for (int i = 0; i < SEQUENCES; i++) {
            double[] values = random.doubles(LENGTH)
                    .map(unused -> 3 + 2 * random.nextGaussian())
                    .toArray();
            misses += isEverMissed(values) ? 1 : 0;
            ordinaryMisses += isEverMissedByOrdinary(values) ? 1 : 0;
        }
        assertThat(misses).isBetween(1, SEQUENCES / 20);
        assertThat(ordinaryMisses).isGreaterThan(SEQUENCES / 10);
    }

    @Test
    void shouldBecomeNarrowAroundTheMean() {
        Random random = new Random(8);
        double[] values = random.doubles(400)
                .map(unused -> 3 + 0.1 * random.nextGaussian())
                .toArray();
        AnytimeInterval interval = AnytimeInterval.of(values, 0.05);
        assertThat(interval.low()).isLessThan(3).isGreaterThan(2.97);
        assertThat(interval.high()).isGreaterThan(3).isLessThan(3.03);
    }

    @Test
    void shouldKnowNothingOfTooFewValues() {
        assertThat(AnytimeInterval.of(new double[] {1}, 0.05).high()).isInfinite();
        assertThat(AnytimeInterval.of(new double[] {1, 2}, 0.05).low()).isInfinite();
    }

    private static boolean isEverMissed(double[] values) {
        for (int n = 2; n <= values.length; n++) {
            AnytimeInterval interval = AnytimeInterval.of(Arrays.copyOf(values, n), 0.05);
            if (interval.low() > 3 || interval.high() < 3) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEverMissedByOrdinary(double[] values) {
        for (int n = 5; n <= values.length; n++) {
            double[] seen = Arrays.copyOf(values, n);
            double mean = Arrays.stream(seen).average().orElseThrow();
            double variance = Arrays.stream(seen)
                            .map(value -> (value - mean) * (value - mean))
                            .sum()
                    / (n - 1);
            if (Math.abs(mean - 3) > 2 * Math.sqrt(variance / n)) {
                return true;
            }
        }
        return false;
    }
}
