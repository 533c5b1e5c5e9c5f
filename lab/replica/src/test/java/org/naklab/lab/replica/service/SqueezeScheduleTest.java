package org.naklab.lab.replica.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class SqueezeScheduleTest {
    private static final long LEAST_BYTES = 12L << 20;
    /** The schedule reckons with fractions of a byte. */
    private static final Offset<Long> ROUNDING = Offset.offset(2L);

    private final SqueezeSchedule narrowing = new SqueezeSchedule(LEAST_BYTES, 0, seconds(20));

    @Test
    void shouldNarrowTheRoomStepByStepDownToTheLeast() {
        assertThat(narrowing.roomBytes(seconds(1), true))
                .isCloseTo(narrowed(SqueezeSchedule.FIRST_ROOM_BYTES, 1), ROUNDING);
        assertThat(narrowing.roomBytes(seconds(3), true))
                .isCloseTo(narrowed(narrowed(SqueezeSchedule.FIRST_ROOM_BYTES, 1), 2), ROUNDING);
        assertThat(narrowing.roomBytes(seconds(19), true)).isEqualTo(LEAST_BYTES);
        assertThat(narrowing.isEvicted()).isFalse();
    }

    @Test
    void shouldGiveSomeBackWhenThePagesHaveGone() {
        long beforeBytes = narrowing.roomBytes(seconds(2), true);
        assertThat(narrowing.roomBytes(seconds(3), false)).isEqualTo(beforeBytes + SqueezeSchedule.RELIEF_BYTES);
        assertThat(narrowing.roomBytes(seconds(9), false)).isEqualTo(beforeBytes + SqueezeSchedule.RELIEF_BYTES);
        assertThat(narrowing.isEvicted()).isTrue();
    }

    @Test
    void shouldGoOnWhenThePagesComeBack() {
        narrowing.roomBytes(seconds(2), true);
        long widenedBytes = narrowing.roomBytes(seconds(3), false);
        assertThat(narrowing.roomBytes(seconds(4), true)).isCloseTo(narrowed(widenedBytes, 1), ROUNDING);
        assertThat(narrowing.isEvicted()).isFalse();
    }

    @Test
    void shouldLeaveTheRoomAsItIsAfterItsTime() {
        long beforeBytes = narrowing.roomBytes(seconds(2), true);
        assertThat(narrowing.isOver(seconds(19))).isFalse();
        assertThat(narrowing.roomBytes(seconds(21), true)).isEqualTo(beforeBytes);
        assertThat(narrowing.roomBytes(seconds(22), false)).isEqualTo(beforeBytes);
        assertThat(narrowing.isOver(seconds(22))).isTrue();
        assertThat(narrowing.isEvicted()).isFalse();
    }

    /** A run of 15 minutes is squeezed as far as one of a minute, and as much more slowly. */
    @Test
    void shouldNarrowTheRoomInProportionToItsTime() {
        SqueezeSchedule longer = new SqueezeSchedule(LEAST_BYTES, 0, seconds(800));
        assertThat(longer.roomBytes(seconds(240), true)).isCloseTo(narrowing.roomBytes(seconds(6), true), ROUNDING);
    }

    private static long narrowed(long bytes, double seconds) {
        return (long) (bytes * Math.exp(-seconds * SqueezeSchedule.FOLDS / 20));
    }

    private static long seconds(long count) {
        return TimeUnit.SECONDS.toNanos(count);
    }
}
