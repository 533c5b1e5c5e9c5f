package org.naklab.messaging.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LatencyIntervalsTest {
    private final LatencyHistogram counted = new LatencyHistogram();
    private final LatencyIntervals intervals = new LatencyIntervals(counted);

    private void record(int times, long latencyNs) {
        for (int i = 0; i < times; i++) {
            counted.record(latencyNs);
        }
    }

    @Test
    void shouldTellThePercentilesOfTheLatestIntervalOnly() {
        record(1_000, 5_000_000);
        LatencyIntervals.Percentiles first = intervals.next();
        record(985, 1_000);
        record(10, 2_000);
        record(5, 900_000);

        assertThat(first.count()).isEqualTo(1_000);
        assertThat(first.p50Ns()).isCloseTo(5_000_000, withPercentage(0.1));
        LatencyIntervals.Percentiles second = intervals.next();
        assertThat(second.count()).isEqualTo(1_000);
        assertThat(second.p50Ns()).isEqualTo(1_000);
        assertThat(second.p99Ns()).isEqualTo(2_000);
        assertThat(second.p999Ns()).isCloseTo(900_000, withPercentage(0.1));
        assertThat(counted.count()).isEqualTo(2_000);
    }

    @Test
    void shouldTellOfAnIntervalWithoutLatencies() {
        record(3, 1_000);
        LatencyIntervals.Percentiles unused = intervals.next();

        assertThat(intervals.next()).isEqualTo(new LatencyIntervals.Percentiles(0, 0, 0, 0));
        record(1, 7);
        assertThat(intervals.next()).isEqualTo(new LatencyIntervals.Percentiles(1, 7, 7, 7));
    }
}
