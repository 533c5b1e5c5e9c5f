package org.naklab.lab.instruments.kernel.datagrams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.Interval;

class SilenceDetectorTest {
    private final SilenceDetector detector = new SilenceDetector();
    private long nowNs = TimeUnit.SECONDS.toNanos(1_000);

    @Test
    void shouldJudgeAGapByTheUsualOnes() {
        steady(10_000);
        assertThat(gap(151)).isTrue();
        assertThat(gap(149)).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(gap(145)).isFalse();
        }
        // Three times of what has become usual.
        assertThat(gap(434)).isFalse();
        assertThat(gap(448)).isTrue();
    }

    @Test
    void shouldNotTakeOneLongGapForUsual() {
        steady(10_000);
        for (int i = 0; i < 3; i++) {
            assertThat(gap(30)).isFalse();
        }
        assertThat(gap(149)).isFalse();
        assertThat(gap(151)).isTrue();
    }

    @Test
    void shouldNotGetUsedToSilences() {
        steady(10_000);
        assertThat(gap(1_500)).isTrue();
        assertThat(gap(1_500)).isTrue();
        assertThat(detector.usualNs(nowNs)).isEqualTo(SilenceDetector.RESOLUTION_NS);
    }

    @Test
    void shouldForgetTheGapsBeforeTheFeedBegan() {
        steady(10_000);
        for (int i = 0; i < 20; i++) {
            assertThat(gap(100)).isFalse();
        }
        assertThat(gap(299)).isFalse();
        nowNs += TimeUnit.SECONDS.toNanos(6);
        assertThat(gap(160)).isTrue();
    }

    @Test
    void shouldNotCallASlowFeedSilentAllTheTime() {
        long firstNs = nowNs;
        nowNs += TimeUnit.SECONDS.toNanos(100);
        detector.onArrivals(firstNs, nowNs, 10);
        nowNs += TimeUnit.SECONDS.toNanos(60);
        assertThat(gap(10_000)).isFalse();
        nowNs += TimeUnit.SECONDS.toNanos(60);
        assertThat(gap(31_000)).isTrue();
    }

    @Test
    void shouldNotJudgeBeforeAnythingIsUsual() {
        detector.onArrivals(nowNs - 9, nowNs, 9);
        assertThat(gap(10_000)).isFalse();
    }

    private void steady(long count) {
        detector.onArrivals(nowNs - TimeUnit.SECONDS.toNanos(1), nowNs, count);
    }

    private boolean gap(long ms) {
        long beginNs = nowNs;
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
        return detector.onGap(new Interval(beginNs, nowNs));
    }
}
