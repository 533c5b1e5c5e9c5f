package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.instruments.sampling.SocketSample;
import org.naklab.lab.instruments.sockets.SocketDepthDetector.Signal;

@Timeout(60)
class SocketDepthDetectorTest {
    private static final long MS = 1_000_000;
    private static final long LIMIT = 262_144;

    private final SocketDepthDetector rule = new SocketDepthDetector(0, 0);

    @Test
    void shouldReportAStalledReceiverAndDateItToItsBeginning() {
        List<Long> reportedMs = new ArrayList<>();
        for (long ms = 1; ms <= 10; ms++) {
            long depth = ms <= 2 ? 832 : Math.min((ms - 2) * 12_000, LIMIT);
            if (rule.update(ms * MS, depth, LIMIT, 0) == Signal.RISE) {
                reportedMs.add(ms);
            }
        }

        assertThat(reportedMs).containsExactly(7L);
        assertThat(rule.beganNs()).isEqualTo(2 * MS);
        assertThat(rule.isRising()).isTrue();
    }

    @Test
    void shouldNotReportABusyReceiverThatEmptiesItsSocket() {
        for (long ms = 1; ms <= 1_000; ms++) {
            long depth = ms % 4 == 0 ? 0 : ms % 4 * 25_000;
            assertThat(rule.update(ms * MS, depth, LIMIT, 0)).isEqualTo(Signal.NOTHING);
        }
    }

    @Test
    void shouldNotReportALowStandingQueue() {
        for (long ms = 1; ms <= 1_000; ms++) {
            assertThat(rule.update(ms * MS, 7_000, LIMIT, 0)).isEqualTo(Signal.NOTHING);
        }
    }

    @Test
    void shouldReportAtOnceWhenTheBufferIsHalfFull() {
        assertThat(rule.update(MS, LIMIT / 2, LIMIT, 0)).isEqualTo(Signal.RISE);
        assertThat(rule.beganNs()).isZero();
    }

    @Test
    void shouldReportAtOnceWhenADatagramIsDropped() {
        assertThat(rule.update(MS, 8_000, LIMIT, 1)).isEqualTo(Signal.RISE);
    }

    @Test
    void shouldDateTheNextRiseToTheDrainBeforeIt() {
        rule.update(MS, LIMIT / 2, LIMIT, 0);
        assertThat(rule.update(10 * MS, 0, LIMIT, 0)).isEqualTo(Signal.DRAINED);
        assertThat(rule.beganNs()).isZero();

        assertThat(rule.update(20 * MS, LIMIT / 2, LIMIT, 0)).isEqualTo(Signal.RISE);
        assertThat(rule.beganNs()).isEqualTo(10 * MS);
        assertThat(rule.peakBytes()).isEqualTo(LIMIT / 2);
    }

    @Test
    void shouldReportThePeakWhenDrainedAndThenRiseAnew() {
        rule.update(1 * MS, 200_000, LIMIT, 0);
        rule.update(2 * MS, 261_952, LIMIT, 9);
        rule.update(3 * MS, 100_000, LIMIT, 9);
        assertThat(rule.update(4 * MS, 0, LIMIT, 9)).isEqualTo(Signal.DRAINED);
        assertThat(rule.peakBytes()).isEqualTo(261_952);
        assertThat(rule.peakNs()).isEqualTo(2 * MS);

        assertThat(rule.update(5 * MS, 0, LIMIT, 9)).isEqualTo(Signal.NOTHING);
        assertThat(rule.update(6 * MS, 150_000, LIMIT, 9)).isEqualTo(Signal.RISE);
        assertThat(rule.beganNs()).isEqualTo(5 * MS);
        assertThat(rule.peakBytes()).isEqualTo(150_000);
    }

    @Test
    void shouldWorkWithoutALimit() {
        for (long ms = 1; ms < 5; ms++) {
            assertThat(rule.update(ms * MS, 90_000, SocketSample.UNKNOWN, 0)).isEqualTo(Signal.NOTHING);
        }
        assertThat(rule.update(5 * MS, 90_000, SocketSample.UNKNOWN, 0)).isEqualTo(Signal.RISE);
    }
}
