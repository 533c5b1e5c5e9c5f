package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.records.latency.LatencyRecord;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RemedyLatencyTest {
    @Test
    void shouldTakeTheMedianOfThePercentilesAndAllOfTheRest() {
        assertThat(RemedyLatency.ofReports(List.of(report(1, 1_000, 10), report(5, 3_000, 0), report(2, 500, 50))))
                .hasValue(new RemedyLatency(2, 20, 200, 3_000, 0.2, 0.02, 0.002));
        assertThat(RemedyLatency.ofReports(List.of(report(1, 1_000, 0), report(2, 500, 0))))
                .map(RemedyLatency::p50Us)
                .hasValue(1.5);
    }

    @Test
    void shouldKnowNothingOfRunsThatMeasuredNothing() {
        assertThat(RemedyLatency.ofReports(List.of())).isEmpty();
    }

    private static LatencyRecord report(double p50Us, double maxUs, long over10Ms) {
        LatencyRecord.Hop none = new LatencyRecord.Hop(0, 0, 0, 0, 0);
        LatencyRecord.Hop all = new LatencyRecord.Hop(1_000, p50Us, 10 * p50Us, 100 * p50Us, maxUs);
        return new LatencyRecord(
                none,
                none,
                none,
                none,
                none,
                none,
                all,
                none,
                new LatencyRecord.Late(10 * over10Ms, over10Ms, over10Ms / 10),
                0);
    }
}
