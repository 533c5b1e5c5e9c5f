package org.naklab.lab.replica.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.OrderEvent;

@Timeout(60)
final class RampUpPacerTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RATE = 5_000;

    private final RampUpPacer pacer = new RampUpPacer(RATE, 2 * SECOND_NS);
    private final OrderEvent event = new OrderEvent();

    @Test
    void shouldRiseFromATenthToTheRate() {
        assertThat(pacer.dueNs(event, 0)).isZero();
        assertThat(eventsBefore(SECOND_NS / 10)).isBetween(50L, 75L);
        assertThat(eventsBefore(2 * SECOND_NS)).isEqualTo(5_500);
        assertThat(eventsBefore(3 * SECOND_NS)).isEqualTo(5_500 + RATE);
    }

    @Test
    void shouldNeverGoBack() {
        long[] due = LongStream.range(0, 8_000)
                .map(index -> pacer.dueNs(event, index))
                .toArray();
        assertThat(due).isSorted();
    }

    private long eventsBefore(long timeNs) {
        return LongStream.range(0, 20_000)
                .filter(index -> pacer.dueNs(event, index) < timeNs)
                .count();
    }
}
