package org.naklab.lab.instruments.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CounterDetectorTest {
    private final CounterDetector rule = new CounterDetector(100, 7);

    @Test
    void shouldReportTheFirstGrowthAtOnce() {
        assertThat(rule.update(1, 7)).isZero();
        assertThat(rule.update(2, 9)).isEqualTo(2);
        assertThat(rule.sinceNs()).isEqualTo(2);
    }

    @Test
    void shouldNotReportWhatWasThereBefore() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(rule.update(i, 7)).isZero();
        }
    }

    @Test
    void shouldReportALastingGrowthOnceAnIntervalAndLoseNothing() {
        long sum = 0;
        int reports = 0;
        for (int now = 0; now < 1_000; now++) {
            long report = rule.update(now, 8 + now);
            sum += report;
            reports += report > 0 ? 1 : 0;
        }

        assertThat(reports).isEqualTo(10);
        assertThat(sum + rule.unreported()).isEqualTo(1_000);
    }

    @Test
    void shouldReportNothingTwiceThatWasTaken() {
        assertThat(rule.update(10, 8)).isEqualTo(1);
        assertThat(rule.update(20, 13)).isZero();
        assertThat(rule.take()).isEqualTo(5);
        assertThat(rule.sinceNs()).isEqualTo(20);
        assertThat(rule.take()).isZero();
        assertThat(rule.update(200, 13)).isZero();
        assertThat(rule.update(210, 14)).isEqualTo(1);
    }
}
