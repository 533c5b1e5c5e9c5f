package org.naklab.lab.studies.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SleepCyclesTest {
    private static final int DRAWS = 100_000;

    @Test
    void shouldWaitForHalfOfASleepOnAverage() {
        assertThat(mean(SleepCycles.of(200_000))).isBetween(99_000.0, 101_000.0);
        assertThat(mean(SleepCycles.NONE)).isZero();
    }

    /** Eleven sleeps of 100 us and one of 1 ms: 10 of 21 moments fall into the long one. */
    @Test
    void shouldMeetLongSleepsMoreOften() {
        Histogram measured = new Histogram(1_000_000_000, 3);
        measured.recordValueWithCount(100_000, 11);
        measured.recordValue(1_000_000);
        SleepCycles sleeps = SleepCycles.of(measured);
        assertThat(mean(sleeps)).isBetween(254_000.0, 275_000.0);
        assertThat(sleeps.usualNs()).isBetween(100_000L, 101_000L);
    }

    private static double mean(SleepCycles sleeps) {
        SplittableRandom random = new SplittableRandom(1);
        return LongStream.range(0, DRAWS)
                .map(draw -> sleeps.waitNs(random))
                .average()
                .orElse(-1);
    }
}
