package org.naklab.lab.instruments.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sample timer without the native library, on a clock that only its sleeper moves. */
@Timeout(60)
class SampleTimerClockTest {
    private static final long MS = 1_000_000;
    private static final long BEGIN_NS = 17 * MS + 5;
    private static final long ALARM_NS = 3 * MS;

    private final List<Long> sleeps = new ArrayList<>();
    private final Watchpoints words = new Watchpoints();
    private long nowNs = BEGIN_NS;
    private long latenessNs;
    private final SampleTimer timer = new SampleTimer(() -> nowNs, this::sleepUntil, MS, ALARM_NS);

    @BeforeEach
    void start() {
        timer.start();
    }

    @AfterEach
    void close() {
        timer.close();
    }

    @Test
    void shouldTickOnceAtEachDeadline() {
        for (int tick = 1; tick <= 3; tick++) {
            await();
            assertTick(BEGIN_NS + tick * MS, 0, 0);
        }
        assertThat(sleeps).containsExactly(BEGIN_NS + MS, BEGIN_NS + 2 * MS, BEGIN_NS + 3 * MS);
    }

    @Test
    void shouldKeepToItsGridAfterMissedTicks() {
        latenessNs = 2 * MS + 7;
        await();
        assertTick(BEGIN_NS + MS, latenessNs, 2);
        assertThat(timer.deadlineNs()).isEqualTo(BEGIN_NS + 4 * MS);

        latenessNs = 0;
        await();
        assertTick(BEGIN_NS + 4 * MS, 0, 0);
    }

    @Test
    void shouldNotSleepWhenTheDeadlineHasPassed() {
        nowNs += MS;
        await();
        assertTick(BEGIN_NS + MS, 0, 0);
        assertThat(sleeps).isEmpty();
    }

    @Test
    void shouldNotTickWhenItIsWokenBeforeTheDeadline() {
        latenessNs = -1;
        await();
        assertThat(timer.ticks()).isZero();
        assertThat(timer.isAlarmed()).isFalse();
        assertThat(timer.deadlineNs()).isEqualTo(BEGIN_NS + MS);

        latenessNs = 0;
        await();
        assertTick(BEGIN_NS + MS, 0, 0);
    }

    @Test
    void shouldRaiseTheAlarmFromItsLatenessOn() {
        latenessNs = ALARM_NS - 1;
        await();
        assertThat(timer.isAlarmed()).isFalse();

        latenessNs = ALARM_NS;
        await();
        assertThat(timer.isAlarmed()).isTrue();

        latenessNs = 0;
        await();
        assertThat(timer.isAlarmed()).isFalse();
    }

    private void await() {
        timer.await(10, List.of(), words);
    }

    private void assertTick(long deadlineNs, long lateNs, long missed) {
        assertThat(timer.ticks()).isEqualTo(1);
        assertThat(timer.nowNs()).isEqualTo(deadlineNs + lateNs);
        assertThat(timer.maxLatenessNs()).isEqualTo(lateNs);
        assertThat(timer.maxLateDeadlineNs()).isEqualTo(deadlineNs);
        assertThat(timer.missed()).isEqualTo(missed);
    }

    private void sleepUntil(long deadlineNs) {
        sleeps.add(deadlineNs);
        nowNs = deadlineNs + latenessNs;
    }
}
