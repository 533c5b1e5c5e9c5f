package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PairedTestTest {
    private static final int EXPERIMENTS = 2_000;
    private static final int THROWS = 300;

    /** Returns in how many experiments the test ever said that the arms differ. */
    private static long decided(double share) {
        SplittableRandom random = new SplittableRandom(1);
        long decided = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            int first = 0;
            boolean isDecided = false;
            for (int n = 1; n <= THROWS && !isDecided; n++) {
                first += random.nextDouble() < share ? 1 : 0;
                isDecided = new PairedTest(first, n - first).isDecided();
            }
            decided += isDecided ? 1 : 0;
        }
        return decided;
    }

    @Test
    void shouldSeldomDecideBetweenEqualArmsHoweverOftenItIsLookedAt() {
        assertThat(decided(0.5)).isPositive().isLessThanOrEqualTo(EXPERIMENTS / 20);
    }

    @Test
    void shouldDecideBetweenArmsThatDiffer() {
        assertThat(decided(0.8)).isGreaterThan(EXPERIMENTS * 99L / 100);
    }

    @Test
    void shouldNeedEightSeedsThatAllSayTheSame() {
        // 2^n / (n + 1) reaches 20 at n = 8.
        assertThat(new PairedTest(7, 0).isDecided()).isFalse();
        assertThat(new PairedTest(8, 0).isDecided()).isTrue();
        assertThat(new PairedTest(0, 8).isDecided()).isTrue();
        assertThat(new PairedTest(0, 0).isDecided()).isFalse();
        assertThat(new PairedTest(5_000, 5_000).isDecided()).isFalse();
    }
}
