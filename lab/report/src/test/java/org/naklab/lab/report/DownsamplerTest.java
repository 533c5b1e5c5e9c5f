package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.report.Downsampler.Focus;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DownsamplerTest {
    private static final int SAMPLES = 10_000;
    private static final int BUCKETS = 50;

    @Test
    void shouldKeepExtremesAndEndsOfManySamples() {
        SampleSeries series = flatWithSpikes();
        SampleSeries thin = Downsampler.between(0, SAMPLES, BUCKETS).apply(series);
        assertThat(thin.size()).isLessThanOrEqualTo(4 * (BUCKETS + 1));
        assertThat(valueAt(thin, 4_321)).isEqualTo(999);
        assertThat(valueAt(thin, 7_654)).isEqualTo(-999);
        assertThat(thin.timeNs(0)).isZero();
        assertThat(thin.timeNs(thin.size() - 1)).isEqualTo(SAMPLES - 1);
    }

    @Test
    void shouldKeepEverySampleInAFocus() {
        SampleSeries thin = Downsampler.between(0, SAMPLES, BUCKETS)
                .except(List.of(new Focus(5_000, 5_099)))
                .apply(flatWithSpikes());
        for (int time = 5_000; time <= 5_099; time++) {
            assertThat(valueAt(thin, time)).isEqualTo(time % 2);
        }
    }

    @Test
    void shouldStayInOrderOfTime() {
        SampleSeries thin = Downsampler.between(0, SAMPLES, BUCKETS)
                .except(List.of(new Focus(100, 200)))
                .apply(flatWithSpikes());
        for (int i = 1; i < thin.size(); i++) {
            assertThat(thin.timeNs(i)).isGreaterThan(thin.timeNs(i - 1));
        }
    }

    @Test
    void shouldBoundALongHuntAndKeepItsPeak() {
        SampleSeries series = new SampleSeries();
        for (int i = 0; i < 3 * SampleSeries.MAX_SAMPLES; i++) {
            series.add(i, i == 12_345 ? Long.MAX_VALUE : i % 7);
        }
        assertThat(series.size()).isLessThanOrEqualTo(SampleSeries.MAX_SAMPLES);
        assertThat(series.max()).isEqualTo(Long.MAX_VALUE);
        assertThat(series.timeNs(series.size() - 1)).isEqualTo(3L * SampleSeries.MAX_SAMPLES - 1);
    }

    private static SampleSeries flatWithSpikes() {
        SampleSeries series = new SampleSeries();
        for (int i = 0; i < SAMPLES; i++) {
            series.add(i, i == 4_321 ? 999 : i == 7_654 ? -999 : i % 2);
        }
        return series;
    }

    private static long valueAt(SampleSeries series, long timeNs) {
        for (int i = 0; i < series.size(); i++) {
            if (series.timeNs(i) == timeNs) {
                return series.value(i);
            }
        }
        throw new AssertionError("no sample at " + timeNs);
    }
}
