package org.naklab.messaging.publication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RateControllerTest {
    /** Two messages of 32 bytes of payload. */
    private final RateControllerModel model = new RateControllerModel(128);

    @Test
    void shouldQueueTheFirstOverBudgetAndRefuseLaterOnes() {
        assertThat(model.offer(32)).isEqualTo(SendResult.SENT);
        assertThat(model.offer(32)).isEqualTo(SendResult.SENT);
        assertThat(model.offer(32)).isEqualTo(SendResult.QUEUED);
        assertThat(model.offer(32)).isEqualTo(SendResult.BLOCKED);
        assertThat(model.offer(8)).isEqualTo(SendResult.BLOCKED);

        assertThat(model.sink.numbers).containsExactly(0L, 1L);
        assertThat(model.controller.blockedSends()).isEqualTo(2);
        assertThat(model.calls).containsExactly("hit");
    }

    @Test
    void shouldChargeTheQueuedMessageToTheNewBudget() {
        fillAndQueue();

        model.endInterval();

        assertThat(model.sink.numbers).containsExactly(0L, 1L, 2L);
        assertThat(model.offer(32)).isEqualTo(SendResult.SENT);
        assertThat(model.offer(32)).isEqualTo(SendResult.QUEUED);
        assertThat(model.controller.wakeUps()).isEqualTo(1);
        assertThat(model.calls).containsExactly("hit", "woken 0", "hit");
    }

    @Test
    void shouldYieldOnceADutyCycleUntilTheLockIsFree() {
        fillAndQueue();
        model.offer(32);
        model.lock.isHeldElsewhere = true;

        model.endInterval();
        model.poll();
        assertThat(model.sink.numbers).containsExactly(0L, 1L);
        assertThat(model.controller.wakeUps()).isZero();

        model.lock.isHeldElsewhere = false;
        model.poll();
        model.poll();

        assertThat(model.calls)
                .containsExactly("hit", "failed", "yield", "yielded", "failed", "yield", "yielded", "woken 1");
        assertThat(model.sink.numbers).containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldLeaveTheLockAloneWhenTheLimitWasNotHit() {
        model.offer(32);
        model.lock.isHeldElsewhere = true;

        model.endInterval();

        assertThat(model.calls).isEmpty();
        model.lock.isHeldElsewhere = false;
        assertThat(model.offer(32)).isEqualTo(SendResult.SENT);
        assertThat(model.offer(32)).isEqualTo(SendResult.SENT);
    }

    @Test
    void shouldKeepTheQueuedMessageWhileTheTransportRefusesIt() {
        fillAndQueue();
        model.sink.nextResult = SendResult.BACK_PRESSURED;

        model.endInterval();
        assertThat(model.offer(32)).isEqualTo(SendResult.BLOCKED);
        assertThat(model.controller.wakeUps()).isZero();

        model.sink.nextResult = SendResult.SENT;
        model.poll();
        assertThat(model.offer(32)).isEqualTo(SendResult.SENT);
        assertThat(model.sink.numbers).containsExactly(0L, 1L, 2L, 4L);
    }

    @Test
    void shouldNotSaveUpBudgetOverAStall() {
        model.nowNs += 7 * RateControllerModel.INTERVAL_NS;
        model.poll();
        fillAndQueue();
        model.poll();

        assertThat(model.sink.numbers).containsExactly(0L, 1L);
    }

    @Test
    void shouldNotChargeWhatTheTransportRefused() {
        model.sink.nextResult = SendResult.NOT_CONNECTED;
        assertThat(model.offer(32)).isEqualTo(SendResult.NOT_CONNECTED);
        model.sink.nextResult = SendResult.BACK_PRESSURED;
        assertThat(model.offer(32)).isEqualTo(SendResult.BACK_PRESSURED);
        model.sink.nextResult = SendResult.SENT;

        fillAndQueue();
    }

    @Test
    void shouldNotQueueForNobody() {
        model.offer(32);
        model.offer(32);
        model.sink.isConnected = false;

        assertThat(model.offer(32)).isEqualTo(SendResult.NOT_CONNECTED);
        assertThat(model.calls).isEmpty();
    }

    @Test
    void shouldSendTheQueuedMessageWhenItCloses() {
        fillAndQueue();

        assertThat(model.controller.disconnect()).isTrue();

        assertThat(model.sink.numbers).containsExactly(0L, 1L, 2L);
        assertThat(model.offer(32)).isEqualTo(SendResult.CLOSED);
    }

    @Test
    void shouldReportAQueuedMessageThatNobodyCanTake() {
        fillAndQueue();
        model.sink.nextResult = SendResult.CLOSED;

        assertThatThrownBy(model::endInterval)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lost");
        assertThat(model.offer(32)).isEqualTo(SendResult.CLOSED);
    }

    @Test
    void shouldRefuseMessagesThatDoNotFitADatagram() {
        assertThatThrownBy(() -> model.offer(RateControllerModel.MAX_PAYLOAD_LENGTH + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1377");
    }

    private void fillAndQueue() {
        assertThat(model.offer(32)).isEqualTo(SendResult.SENT);
        assertThat(model.offer(32)).isEqualTo(SendResult.SENT);
        assertThat(model.offer(32)).isEqualTo(SendResult.QUEUED);
    }
}
