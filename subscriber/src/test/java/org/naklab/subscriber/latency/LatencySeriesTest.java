package org.naklab.subscriber.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LatencySeriesTest {
    private static final long MILLI_NS = 1_000_000;
    private static final long INTERVAL_NS = LatencySeries.FIRST_INTERVAL_MS * MILLI_NS;
    private static final long BEGIN_NS = -5;

    private final LatencySeries series = new LatencySeries();

    @Test
    void shouldGiveNumberMedianAndMaximumOfEachIntervalWithEvents() {
        series.record(BEGIN_NS, 7);
        series.record(BEGIN_NS + 1, 100);
        series.record(BEGIN_NS + INTERVAL_NS - 1, 8);
        series.record(BEGIN_NS + 3 * INTERVAL_NS, 4);

        assertThat(entries())
                .containsExactly(
                        new LatencySeries.Entry(BEGIN_NS, 3, 8, 100),
                        new LatencySeries.Entry(BEGIN_NS + 3 * INTERVAL_NS, 1, 4, 4));
    }

    @Test
    void shouldTakeTheMedianOfAsManyAsComeInAnInterval() {
        for (int i = 0; i < 100_000; i++) {
            series.record(BEGIN_NS, i);
        }
        LatencySeries.Entry entry = entries().get(0);
        assertThat(entry.count()).isEqualTo(100_000);
        assertThat(entry.maxNs()).isEqualTo(99_999);
        assertThat(entry.medianNs()).isBetween(49_000L, 51_000L);
    }

    @Test
    void shouldDoubleItsIntervalsRatherThanGrow() {
        int intervals = 3 * LatencySeries.MAX_INTERVALS;
        for (int i = 0; i < intervals; i++) {
            series.record(BEGIN_NS + i * INTERVAL_NS, i);
        }
        assertThat(series.intervalNs()).isEqualTo(4 * INTERVAL_NS);
        List<LatencySeries.Entry> entries = entries();
        assertThat(entries).hasSize(intervals / 4);
        assertThat(entries.stream().mapToInt(LatencySeries.Entry::count).sum()).isEqualTo(intervals);
        for (int i = 0; i < entries.size(); i++) {
            assertThat(entries.get(i).beginNs()).isEqualTo(BEGIN_NS + 4L * i * INTERVAL_NS);
            assertThat(entries.get(i).maxNs()).isEqualTo(4L * i + 3);
            assertThat(entries.get(i).medianNs()).isBetween(4L * i, 4L * i + 3);
        }
    }

    @Test
    void shouldBearAFeedWhoseTimesLeap() {
        series.record(BEGIN_NS, 1);
        series.record(BEGIN_NS + 1_000_000_000L * 3_600 * 24, 2);
        series.record(BEGIN_NS - 1_000, 3);
        assertThat(entries().stream().mapToInt(LatencySeries.Entry::count).sum())
                .isEqualTo(3);
    }

    private List<LatencySeries.Entry> entries() {
        List<LatencySeries.Entry> entries = new ArrayList<>();
        series.forEach(entries::add);
        return entries;
    }
}
