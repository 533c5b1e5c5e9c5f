package org.naklab.lab.detect;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CallbackTimesTest {
    private final CallbackTimes times = new CallbackTimes();

    @Test
    void shouldKeepEachTimeToWithinAHundredth() {
        for (long ns = 1; ns < 60_000_000_000L; ns = ns * 3 + 1) {
            times.record(ns);
            Histogram histogram = times.takeHistogram();
            assertThat(histogram.getTotalCount()).isEqualTo(1);
            assertThat(histogram.getMinNonZeroValue()).isBetween(ns - ns / 50 - 1, ns + ns / 50);
        }
    }

    @Test
    void shouldTakeWhatCameSinceTheLastTime() {
        times.record(0);
        times.record(50);
        times.record(50);

        assertThat(times.takeHistogram().getCountAtValue(50)).isEqualTo(2);
        assertThat(times.takeHistogram().getTotalCount()).isZero();
    }

    @Test
    void shouldCountWhatIsTooLongAsTheLongest() {
        times.record(Long.MAX_VALUE);

        assertThat(times.takeHistogram().getMaxValue()).isBetween(59_000_000_000L, 61_000_000_000L);
    }
}
