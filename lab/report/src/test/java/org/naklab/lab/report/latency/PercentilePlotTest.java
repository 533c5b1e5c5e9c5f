package org.naklab.lab.report.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.records.latency.LatencyFile;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PercentilePlotTest {
    @Test
    void shouldPlaceTheLongestLatencyByTheNumberOfEvents() {
        PercentilePlot plot = PercentilePlot.of(new LatencyFile(List.of(
                new LatencyFile.Subscriber(
                        "mds",
                        List.of(
                                new LatencyFile.Point(0, 0.2),
                                new LatencyFile.Point(90, 600),
                                new LatencyFile.Point(99.9, 150_000),
                                new LatencyFile.Point(100, 151_000)),
                        List.of(),
                        20_000_000,
                        List.of(new LatencyFile.Interval(7, 5_000, 600, 151_000))),
                new LatencyFile.Subscriber("gateway-1", List.of(), List.of(), 20_000_000, List.of()))));

        assertThat(plot.curves()).singleElement().satisfies(curve -> {
            assertThat(curve.name()).isEqualTo("mds");
            List<Double> nines =
                    curve.points().stream().map(point -> point.get(0)).toList();
            assertThat(nines.get(0)).isZero();
            assertThat(nines.get(1)).isCloseTo(1, within(1e-9));
            assertThat(nines.get(2)).isCloseTo(3, within(1e-9));
            assertThat(nines.get(3)).isCloseTo(4, within(1e-9));
            assertThat(curve.points().stream().map(point -> point.get(1)).toList())
                    .containsExactly(0.001, 0.6, 150.0, 151.0);
        });
    }

    @Test
    void shouldBeEmptyForARunThatMeasuredNoLatency() {
        assertThat(PercentilePlot.of(new LatencyFile(List.of())).isEmpty()).isTrue();
    }
}
