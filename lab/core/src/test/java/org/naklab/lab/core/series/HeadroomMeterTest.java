package org.naklab.lab.core.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.Headroom.Basis;
import org.naklab.lab.core.timeline.Interval;

/** Feeds recorded shapes of depth to the meter: 1 ms between samples. */
@Timeout(60)
class HeadroomMeterTest {
    private static final long MS = 1_000_000;
    private static final long LIMIT_BYTES = 1_000_000;

    /** 25 datagrams of 1,000 bytes per millisecond. */
    private static final long BYTES_A_MS = 25_000;

    private final HeadroomMeter meter = new HeadroomMeter(0, 0, 0);
    private long nowMs;

    @Test
    void shouldPredictTheOverflowFromTheFirstHalfOfTheBuffer() {
        empty(1_000);
        grow(40, BYTES_A_MS);
        full(60);
        read(0);

        Headroom headroom = headroom();
        assertThat(headroom.basis()).isEqualTo(Basis.MEASURED);
        assertThat(headroom.arrivalBytesPerSecond()).isEqualTo(25_000_000);
        assertThat(headroom.headroomMs()).isCloseTo(40, within(0.01));
        assertThat(headroom.overflowPredictedMs()).isCloseTo(40, within(0.01));
        assertThat(headroom.overflowAfterMs()).isCloseTo(41, within(0.01));
        assertThat(headroom.longestStallMs()).isCloseTo(101, within(0.01));
        assertThat(headroom.sentence())
                .isEqualTo(
                        "at 25.00 MB/s of buffer memory (measured over 39.0 ms) the buffer survives 40.0 ms; "
                                + "nothing was read from it for 101.0 ms at most; it overflowed after 41.0 ms, predicted 40.0 ms");
    }

    @Test
    void shouldKeepTheLastStallNotTheLongest() {
        empty(10);
        assertThat(meter.lastStall()).isNull();
        grow(40, BYTES_A_MS);
        read(0);
        empty(100);
        long beganMs = nowMs;
        grow(20, BYTES_A_MS);
        read(0);
        empty(100);

        Interval last = Objects.requireNonNull(meter.lastStall());
        assertThat(last.lengthMs()).isCloseTo(21, within(1.0));
        assertThat(last.beginNs() / (double) MS).isCloseTo((double) beganMs, within(1.0));
        assertThat(headroom().longestStallMs()).isCloseTo(41, within(1.0));
    }

    @Test
    void shouldNotCountThePauseOfTheSenderBeforeTheGrowth() {
        empty(1_000);
        nowMs += 5_000;
        grow(20, BYTES_A_MS);
        meter.finish();

        Headroom headroom = headroom();
        assertThat(headroom.arrivalBytesPerSecond()).isEqualTo(25_000_000);
        assertThat(headroom.longestStallMs()).isCloseTo(20, within(0.01));
    }

    @Test
    void shouldBeginAnewWheneverTheReaderTakesSomething() {
        grow(10, BYTES_A_MS);
        read(249_000);
        grow(10, 30_000);
        read(0);

        Headroom headroom = headroom();
        assertThat(headroom.arrivalBytesPerSecond()).isEqualTo(30_000_000);
        assertThat(headroom.rateWindowMs()).isEqualTo(9);
        assertThat(headroom.longestStallMs()).isCloseTo(11, within(0.01));
    }

    /** A sender that was late sends what is due at once: that fills the buffer, and is not what usually comes in. */
    @Test
    void shouldNotTakeOneBurstForTheUsualRate() {
        grow(15, BYTES_A_MS);
        read(0);
        grow(6, 150_000);
        read(0);
        assertThat(headroom().arrivalBytesPerSecond()).isEqualTo(25_000_000);
        grow(3, 300_000);
        read(0);
        assertThat(headroom().arrivalBytesPerSecond()).isEqualTo(25_000_000);
    }

    @Test
    void shouldDescribeThePresent() {
        grow(20, 40_000);
        read(0);
        assertThat(headroom().headroomMs()).isCloseTo(25, within(0.01));
        nowMs += 9_000;
        grow(10, 10_000);
        read(0);
        assertThat(headroom().headroomMs()).isCloseTo(25, within(0.01));
        nowMs += 1_500;
        grow(10, 10_000);
        read(0);
        assertThat(headroom().headroomMs()).isCloseTo(100, within(0.01));
    }

    @Test
    void shouldNotReplaceAPredictedOverflowByOneThatBeganWithAFullBuffer() {
        grow(40, BYTES_A_MS);
        full(5);
        read(960_000);
        grow(1, BYTES_A_MS);
        full(5);

        assertThat(headroom().overflowPredictedMs()).isCloseTo(40, within(0.01));
        assertThat(headroom().overflowAfterMs()).isCloseTo(41, within(0.01));
    }

    /** As of an exchange that receives a few NAKs: the same datagram is never seen twice, but their number is. */
    @Test
    void shouldNotTakeAFewDatagramsForGrowth() {
        meter.update(1 * MS, 832, LIMIT_BYTES, 0);
        meter.update(200 * MS, 1_664, LIMIT_BYTES, 0);
        meter.update(201 * MS, 0, LIMIT_BYTES, 0);

        assertThat(headroom().basis()).isEqualTo(Basis.UNKNOWN);
    }

    @Test
    void shouldNotTakeABufferThatStaysFullForALowerRate() {
        grow(40, BYTES_A_MS);
        full(1_000);

        assertThat(headroom().arrivalBytesPerSecond()).isEqualTo(25_000_000);
        assertThat(headroom().longestStallMs()).isCloseTo(1_040, within(0.01));
    }

    @Test
    void shouldSayThatAShortGrowthIsOnlyAnEstimate() {
        grow(3, BYTES_A_MS);
        read(0);

        Headroom headroom = headroom();
        assertThat(headroom.basis()).isEqualTo(Basis.ESTIMATED);
        assertThat(headroom.headroomMs()).isCloseTo(40, within(0.01));
        assertThat(headroom.longestStallMs()).isZero();
        assertThat(headroom.sentence()).contains("only estimated").contains("no stall of 5 ms or more was seen");
    }

    @Test
    void shouldPreferAMeasurementToAHigherEstimate() {
        grow(20, BYTES_A_MS);
        read(0);
        grow(3, 100_000);
        read(0);

        assertThat(headroom().arrivalBytesPerSecond()).isEqualTo(25_000_000);
    }

    @Test
    void shouldSayThatTheRateIsNotKnownIfTheDepthNeverGrew() {
        for (int i = 0; i < 1_000; i++) {
            grow(1, 1_000);
            read(0);
        }

        Headroom headroom = headroom();
        assertThat(headroom.basis()).isEqualTo(Basis.UNKNOWN);
        assertThat(headroom.isKnown()).isFalse();
        assertThat(headroom.sentence()).startsWith("headroom unknown: the depth was never seen to grow");
    }

    @Test
    void shouldGiveTheRateButNoHeadroomWithoutALimit() {
        for (int ms = 1; ms <= 20; ms++) {
            meter.update(ms * MS, ms * BYTES_A_MS, -1, 0);
        }
        meter.finish();

        Headroom headroom = meter.headroom(-1, nowMs * MS);
        assertThat(headroom.arrivalBytesPerSecond()).isEqualTo(25_000_000);
        assertThat(headroom.isKnown()).isFalse();
        assertThat(headroom.sentence()).contains("25.00 MB/s").contains("the limit of the buffer is not known");
    }

    /** A wrong checksum is counted as a drop of the socket too. */
    @Test
    void shouldNotCallADropOfAnotherReasonAnOverflow() {
        grow(10, BYTES_A_MS);
        meter.update(++nowMs * MS, 260_000, LIMIT_BYTES, 7);

        assertThat(headroom().overflowAfterMs()).isEqualTo(Headroom.UNKNOWN);
    }

    /** The buffer was filled once by a burst; since then the reader keeps up. */
    @Test
    void shouldForgetByTheClockWhatNoLongerComesIn() {
        grow(20, 40_000);
        read(0);
        nowMs += 9_000;
        assertThat(headroom().present().headroomMs()).isCloseTo(25, within(0.01));
        nowMs += 1_500;
        read(0);

        assertThat(headroom().present().isKnown()).isFalse();
        assertThat(headroom().present().longestStallMs()).isCloseTo(21, within(0.01));
        assertThat(headroom().sentence()).contains("(measured over 19.0 ms, last 10.5 s before the end)");
        grow(20, 10_000);
        read(0);
        assertThat(headroom().present().headroomMs()).isCloseTo(100, within(0.01));
        assertThat(headroom().sentence()).contains("(measured over 19.0 ms)");
    }

    @Test
    void shouldForgetTheLongestStallOfLongAgo() {
        grow(40, BYTES_A_MS);
        read(0);
        assertThat(latelyMs()).isCloseTo(41, within(0.01));
        nowMs += 59_000;
        grow(20, BYTES_A_MS);
        read(0);
        assertThat(latelyMs()).isCloseTo(41, within(0.01));
        nowMs += 3_000;
        grow(10, BYTES_A_MS);
        read(0);
        assertThat(latelyMs()).isCloseTo(41, within(0.01));
        nowMs += 60_000;
        assertThat(latelyMs()).isCloseTo(11, within(0.01));
        nowMs += 60_000;
        assertThat(latelyMs()).isZero();
        assertThat(headroom().longestStallMs()).isCloseTo(41, within(0.01));
    }

    private Headroom headroom() {
        return meter.headroom(LIMIT_BYTES, nowMs * MS);
    }

    private double leftMs() {
        return meter.leftMs(LIMIT_BYTES, nowMs * MS);
    }

    private double latelyMs() {
        return meter.longestLatelyNs(nowMs * MS) / (double) MS;
    }

    private long depthBytes;
    private long drops;

    private void empty(int samples) {
        for (int i = 0; i < samples; i++) {
            read(0);
        }
    }

    private void grow(int samples, long bytes) {
        for (int i = 0; i < samples; i++) {
            depthBytes += bytes;
            meter.update(++nowMs * MS, depthBytes, LIMIT_BYTES, drops);
        }
    }

    private void full(int samples) {
        for (int i = 0; i < samples; i++) {
            drops += 25;
            meter.update(++nowMs * MS, depthBytes, LIMIT_BYTES, drops);
        }
    }

    private void read(long leftBytes) {
        depthBytes = leftBytes;
        meter.update(++nowMs * MS, depthBytes, LIMIT_BYTES, drops);
    }

    @Test
    void shouldTellHowLongTheRestOfTheBufferLasts() {
        empty(10);
        assertThat(leftMs()).isEqualTo(Headroom.UNKNOWN);
        grow(11, BYTES_A_MS);
        assertThat(leftMs()).isCloseTo(29, within(0.01));
        assertThat(meter.leftMs(0, nowMs * MS)).isEqualTo(Headroom.UNKNOWN);
        grow(30, BYTES_A_MS);
        assertThat(leftMs()).isZero();
        read(0);
        assertThat(leftMs()).isCloseTo(40, within(0.01));
    }

    @Test
    void shouldForgetByTheClockHowLongTheRestLasts() {
        grow(20, 40_000);
        read(0);
        nowMs += 9_000;
        assertThat(leftMs()).isCloseTo(25, within(0.01));
        nowMs += 1_500;
        assertThat(leftMs()).isEqualTo(Headroom.UNKNOWN);
        grow(11, BYTES_A_MS);
        assertThat(leftMs()).isCloseTo(29, within(0.01));
    }

    /** What comes in now is not what usually comes in. */
    @Test
    void shouldTakeTheRateOfTheGrowthThatLasts() {
        empty(10);
        grow(11, BYTES_A_MS);
        read(0);
        grow(11, 2 * BYTES_A_MS);
        assertThat(leftMs()).isCloseTo(9, within(0.01));
    }
}
