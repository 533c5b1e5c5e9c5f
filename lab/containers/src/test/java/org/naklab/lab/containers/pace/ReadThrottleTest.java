package org.naklab.lab.containers.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class ReadThrottleTest {
    @ParameterizedTest
    @CsvSource({"40, 40, 40", "100, 40, 85", "150, 20, 50", "300, 10, 25", "350, 10, 50", "800, 5, 85"})
    void shouldWaitForTheRestOfASliceAndForWholeOnes(long stallMs, long readsPerSecond, long firstWaitMs) {
        assertThat(ReadThrottle.near(ns(stallMs))).isEqualTo(new ReadThrottle(readsPerSecond, firstWaitMs));
    }

    /** Two slices let six reads through at 30 to 60 a second, four at 20 to 40. */
    @ParameterizedTest
    @CsvSource({
        "150, 3, 42, 50",
        "150, 2, 28, 50",
        "150, 1, 14, 50",
        "80, 2, 57, 80",
        "300, 2, 16, 85",
        "320, 2, 12, 25",
        "30, 1, 28, 30"
    })
    void shouldReckonWithThePagesThatABindMisses(
            long stallMs, long majorFaults, long readsPerSecond, long firstWaitMs) {
        assertThat(ReadThrottle.forFaults(ns(stallMs), majorFaults))
                .isEqualTo(new ReadThrottle(readsPerSecond, firstWaitMs));
    }

    @Test
    void shouldFollowWhatAHostShows() {
        ReadThrottle pace = new ReadThrottle(20, 50);
        assertThat(pace.corrected(ns(300), ns(150))).isEqualTo(new ReadThrottle(40, 50));
        assertThat(pace.corrected(ns(75), ns(150))).isEqualTo(new ReadThrottle(10, 50));
    }

    @Test
    void shouldNotTryTheSameTwice() {
        assertThat(new ReadThrottle(2, 50).corrected(ns(170), ns(150))).isEqualTo(new ReadThrottle(3, 50));
        assertThat(new ReadThrottle(2, 50).corrected(ns(140), ns(150))).isEqualTo(new ReadThrottle(1, 50));
    }

    private static long ns(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
