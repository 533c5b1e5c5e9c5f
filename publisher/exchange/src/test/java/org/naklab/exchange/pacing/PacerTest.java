package org.naklab.exchange.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.OrderEvent;

@Timeout(60)
class PacerTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final OrderEvent event = new OrderEvent();

    @Test
    void shouldFollowRecordedTimeAtASpeed() {
        Pacer pacer = Pacer.recordedTime(4);
        event.exchangeTimestampNs = 34_200_000_000_000L;
        assertThat(pacer.dueNs(event, 0)).isZero();
        event.exchangeTimestampNs += 1_000;
        assertThat(pacer.dueNs(event, 1)).isEqualTo(250);
        event.exchangeTimestampNs += 3_600 * SECOND_NS;
        assertThat(pacer.dueNs(event, 2)).isEqualTo(900 * SECOND_NS + 250);
    }

    @Test
    void shouldKnowNoScheduleWhenAsFastAsPossible() {
        assertThat(Pacer.asFastAsPossible().dueNs(event, 1_000_000)).isEqualTo(Pacer.NOW);
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThatThrownBy(() -> Pacer.constantRate(0)).hasMessageContaining("rate must be 1 to");
        assertThatThrownBy(() -> Pacer.recordedTime(0)).hasMessageContaining("speed must be positive");
        assertThatThrownBy(() -> Pacer.recordedTime(Double.NaN)).hasMessageContaining("speed must be positive");
    }
}
