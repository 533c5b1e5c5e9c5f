package org.naklab.lab.tools.jitter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;

@Timeout(60)
class LateMessagesTest {
    private final LateMessages late = new LateMessages();

    @Test
    void shouldJoinMessagesThatWaitedBehindALateOne() {
        late.add(1_000, 1_001, 101_000);
        late.add(21_000, 21_001, 101_100);
        late.add(101_200, 101_201, 301_000);
        assertThat(late.outliers())
                .containsExactly(
                        new Outlier(1_000, 101_100, 1_000, 1_001, 101_000, 2),
                        new Outlier(101_200, 301_000, 101_200, 101_201, 301_000, 1));
    }

    @Test
    void shouldKeepTheLatestMessageOfAnOutlier() {
        late.add(0, 1, 60_000);
        late.add(20_000, 150_000, 150_100);
        Outlier outlier = late.outliers().get(0);
        assertThat(outlier.latencyNs()).isEqualTo(130_100);
        assertThat(outlier.isOfProducer()).isTrue();
        assertThat(outlier.unsent()).isEqualTo(new Interval(20_000, 150_000));
        assertThat(outlier.unread()).isEqualTo(new Interval(150_000, 150_100));
        assertThat(outlier.interval()).isEqualTo(new Interval(0, 150_100));
    }

    @Test
    void shouldTellTheWorstSoFar() {
        assertThat(late.worst().latencyNs()).isZero();
        late.add(1_000, 1_001, 101_000);
        late.add(200_000, 200_001, 260_000);
        assertThat(late.worst()).isEqualTo(new MeterLine.WorstSoFar(100_000, 101_000));
        late.add(300_000, 300_001, 500_000);
        assertThat(late.worst()).isEqualTo(new MeterLine.WorstSoFar(200_000, 500_000));
        late.clear();
        assertThat(late.worst().latencyNs()).as("that of the warm-up").isZero();
    }

    @Test
    void shouldCountWhatItDoesNotKeep() {
        for (int i = 0; i < 100_003; i++) {
            late.add(i * 1_000L, i * 1_000L, i * 1_000L + 500);
        }
        assertThat(late.outliers()).hasSize(100_000);
        assertThat(late.notKept()).isEqualTo(3);
    }
}
