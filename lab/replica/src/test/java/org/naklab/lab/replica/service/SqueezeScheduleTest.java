package org.naklab.lab.replica.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class SqueezeScheduleTest {
    private static final long LEAST_BYTES = 12L << 20;

    private final SqueezeSchedule narrowing = new SqueezeSchedule(LEAST_BYTES, 0, seconds(20));

    @Test
    void shouldNarrowTheRoomStepByStepDownToTheLeast() {
        assertThat(narrowing.roomBytes(seconds(1), true)).isEqualTo(narrowed(SqueezeSchedule.FIRST_ROOM_BYTES, 1));
        assertThat(narrowing.roomBytes(seconds(3), true))
                .isEqualTo(narrowed(narrowed(SqueezeSchedule.FIRST_ROOM_BYTES, 1), 2));
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
        assertThat(narrowing.roomBytes(seconds(4), true)).isEqualTo(narrowed(widenedBytes, 1));
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

    private static long narrowed(long bytes, double seconds) {
        return (long) (bytes * (1 - SqueezeSchedule.SHARE_PER_SECOND * seconds));
    }

    private static long seconds(long count) {
        return TimeUnit.SECONDS.toNanos(count);
    }
}
