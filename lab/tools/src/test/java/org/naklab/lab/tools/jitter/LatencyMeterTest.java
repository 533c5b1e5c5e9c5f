package org.naklab.lab.tools.jitter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LatencyMeterTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void shouldMeasureEachMessageAfterTheWarmUp() throws Exception {
        LatencyMeter meter = new LatencyMeter(settings(MS / 2));
        meter.run();
        assertThat(meter.histogram().getTotalCount()).isEqualTo(1_000);
        assertThat(meter.histogram().getMinValue()).isNotNegative();
        assertThat(meter.late().outliers())
                .allMatch(outlier -> outlier.beginNs() >= meter.measuredFromNs())
                .allMatch(outlier ->
                        outlier.latencyNs() >= settings(MS / 2).times().thresholdNs());
    }

    /** The JVM may link something once; one object per message would be at least 16 bytes each. */
    @Test
    void shouldAllocateNothing() throws Exception {
        LatencyMeter meter = new LatencyMeter(settings(MS / 20));
        meter.run();
        assertThat(meter.histogram().getTotalCount()).isEqualTo(10_000);
        assertThat(meter.allocatedBytes()).isLessThan(meter.histogram().getTotalCount());
    }

    /** Ten messages wait behind one: the latency of each counts from its own time. */
    @Test
    void shouldCountFromTheTimeAtWhichAMessageWasDue() throws Exception {
        LatencyMeter meter = new LatencyMeter(settings(MS / 2));
        meter.run();
        meter.late().outliers().forEach(outlier -> {
            assertThat(outlier.sentNs()).isGreaterThanOrEqualTo(outlier.dueNs());
            assertThat(outlier.readNs()).isGreaterThanOrEqualTo(outlier.sentNs());
            assertThat(Math.floorMod(outlier.dueNs() - meter.measuredFromNs(), MS / 2))
                    .isZero();
        });
        assertThat(meter.histogram().getMaxValue())
                .isGreaterThanOrEqualTo(meter.late().outliers().stream()
                        .mapToLong(Outlier::latencyNs)
                        .max()
                        .orElse(0));
    }

    private static MeterSettings settings(long paceNs) {
        return new MeterSettings(
                new MeterSettings.Times(300 * MS, 500 * MS, paceNs, MS / 20),
                new MeterSettings.Threads(-1, -1, true),
                new MeterSettings.Load(0, 0, Injection.NONE));
    }
}
