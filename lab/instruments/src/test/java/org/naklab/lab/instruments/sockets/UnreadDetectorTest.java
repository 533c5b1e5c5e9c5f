package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UnreadDetectorTest {
    private static final long MS = 1_000_000;
    private static final long DATAGRAM = 832;

    private final UnreadDetector rule = new UnreadDetector(0);

    @Test
    void shouldReportFewDatagramsThatNobodyReceives() {
        assertThat(rule.update(3 * MS, 0)).isFalse();
        for (long ms = 4; ms <= 300; ms++) {
            assertThat(rule.update(ms * MS, ms < 100 ? DATAGRAM : 2 * DATAGRAM)).isFalse();
        }

        assertThat(rule.update(301 * MS, 0)).isTrue();
        assertThat(rule.beganNs()).isEqualTo(3 * MS);
        assertThat(rule.endedNs()).isEqualTo(300 * MS);
        assertThat(rule.startBytes()).isZero();
        assertThat(rule.peakBytes()).isEqualTo(2 * DATAGRAM);
        assertThat(rule.longestGapNs()).isEqualTo(MS);
    }

    @Test
    void shouldTellForHowLongNobodyLooked() {
        rule.update(MS, 0);
        rule.update(2 * MS, DATAGRAM);
        rule.update(30 * MS, DATAGRAM);
        rule.update(31 * MS, DATAGRAM);

        assertThat(rule.update(32 * MS, 0)).isTrue();
        assertThat(rule.longestGapNs()).isEqualTo(28 * MS);
    }

    /** It grew by a datagram a millisecond: ten of them cannot have been received and sent again in four, but in six. */
    @Test
    void shouldNotCountAGapInWhichTheSocketCannotHaveBeenFilledAgain() {
        for (long ms = 1; ms <= 10; ms++) {
            rule.update(ms * MS, ms * DATAGRAM);
        }
        rule.update(14 * MS, 10 * DATAGRAM);
        assertThat(rule.update(15 * MS, 0)).isTrue();
        assertThat(rule.longestGapNs()).isEqualTo(MS);

        for (long ms = 16; ms <= 25; ms++) {
            rule.update(ms * MS, (ms - 15) * DATAGRAM);
        }
        rule.update(31 * MS, 10 * DATAGRAM);
        assertThat(rule.update(32 * MS, 0)).isTrue();
        assertThat(rule.longestGapNs()).isEqualTo(6 * MS);
    }

    @Test
    void shouldReportAFullSocketUntilItsDepthFalls() {
        for (long ms = 1; ms <= 50; ms++) {
            assertThat(rule.update(ms * MS, Math.min(ms, 20) * DATAGRAM)).isFalse();
        }

        assertThat(rule.update(51 * MS, 19 * DATAGRAM)).isTrue();
        assertThat(rule.endedNs()).isEqualTo(50 * MS);
    }

    @Test
    void shouldNotReportAReceiverThatLagsButReceives() {
        for (long ms = 1; ms <= 1_000; ms++) {
            assertThat(rule.update(ms * MS, (100 + ms % 4) * DATAGRAM)).isFalse();
        }
    }

    @Test
    void shouldNotReportAnEmptySocket() {
        for (long ms = 1; ms <= 1_000; ms++) {
            assertThat(rule.update(ms * MS, 0)).isFalse();
        }
        assertThat(rule.finish()).isFalse();
    }

    @Test
    void shouldBeginAgainWhenItWasReceivedFrom() {
        rule.update(MS, 10 * DATAGRAM);
        rule.update(11 * MS, 5 * DATAGRAM);

        assertThat(rule.update(20 * MS, 4 * DATAGRAM)).isFalse();
        rule.update(40 * MS, 6 * DATAGRAM);
        assertThat(rule.update(41 * MS, 0)).isTrue();
        assertThat(rule.beganNs()).isEqualTo(20 * MS);
        assertThat(rule.startBytes()).isEqualTo(4 * DATAGRAM);
    }

    @Test
    void shouldReportWhatLastsAtTheEnd() {
        rule.update(MS, 0);
        for (long ms = 2; ms <= 30; ms++) {
            rule.update(ms * MS, DATAGRAM);
        }

        assertThat(rule.finish()).isTrue();
        assertThat(rule.beganNs()).isEqualTo(MS);
        assertThat(rule.endedNs()).isEqualTo(30 * MS);
    }

    /** A watch ends its instruments one after the other: the last sample may be of a datagram that was received right after it. */
    @Test
    void shouldNotReportATimeThatWasNotSampled() {
        rule.update(MS, 0);
        rule.update(2 * MS, DATAGRAM);

        assertThat(rule.finish()).isFalse();
    }

    /** A test ends while its reader stands still: what belongs to it, and what to the next. */
    @Test
    void shouldCountByItselfWhatFollowsACut() {
        rule.update(MS, 0);
        for (long ms = 2; ms <= 30; ms++) {
            rule.update(ms * MS, DATAGRAM);
        }

        assertThat(rule.cut(31 * MS)).isTrue();
        assertThat(rule.beganNs()).isEqualTo(MS);
        assertThat(rule.endedNs()).isEqualTo(30 * MS);
        for (long ms = 32; ms <= 50; ms++) {
            assertThat(rule.update(ms * MS, 2 * DATAGRAM)).isFalse();
        }
        assertThat(rule.update(51 * MS, 0)).isTrue();
        assertThat(rule.beganNs()).isEqualTo(31 * MS);
        assertThat(rule.endedNs()).isEqualTo(50 * MS);
        assertThat(rule.startBytes()).isEqualTo(DATAGRAM);
        assertThat(rule.cut(52 * MS)).as("nothing waits").isFalse();
    }
}
