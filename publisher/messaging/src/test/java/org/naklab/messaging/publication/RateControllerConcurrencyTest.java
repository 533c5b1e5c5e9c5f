package org.naklab.messaging.publication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RateControllerConcurrencyTest {
    private static final int MESSAGES = 4_000;
    private static final long INTERVAL_NS = 200_000;
    private static final int BUDGET_BYTES = 20 * 64;

    private final RecordingSink sink = new RecordingSink();
    private final AtomicLong reportedBlocked = new AtomicLong();
    private final AtomicLong yields = new AtomicLong();
    private final RateController controller = new RateController(
            sink,
            1376,
            new RateLimit(BUDGET_BYTES * 8L * 5_000, INTERVAL_NS),
            new ReentrantLock(),
            System::nanoTime,
            yields::incrementAndGet,
            new RateListener() {
                @Override
                public void onWakeUp(long timeNs, long blockedSends) {
                    reportedBlocked.addAndGet(blockedSends);
                }
            });

    @Test
    void shouldNeitherLoseNorReorderWhenSenderAndContextRace() throws InterruptedException {
        AtomicLong refused = new AtomicLong();
        Thread sender = new Thread(() -> refused.set(sendAll()), "sender");
        sender.start();
        long polledNs = System.nanoTime();
        while (sender.isAlive()) {
            polledNs = System.nanoTime();
            controller.poll(polledNs);
        }
        sender.join();
        controller.poll(polledNs + 2 * INTERVAL_NS);

        assertThat(sink.numbers)
                .containsExactlyElementsOf(LongStream.range(0, MESSAGES).boxed().toList());
        assertThat(controller.blockedSends()).isEqualTo(refused.get());
        assertThat(reportedBlocked.get()).isEqualTo(refused.get());
        // The sender is refused again and again, so the limit was really at work; it cannot go faster than the budget.
        assertThat(controller.wakeUps()).isPositive();
    }

    /** Retries without waiting for the wake-up, which is the hardest on the lock. */
    private long sendAll() {
        UnsafeBuffer message = new UnsafeBuffer(new byte[32]);
        long refused = 0;
        for (long number = 0; number < MESSAGES; number++) {
            message.putLong(0, number);
            SendResult result = controller.offer(message, 0, 32);
            while (!result.accepted()) {
                refused++;
                Thread.onSpinWait();
                result = controller.offer(message, 0, 32);
            }
        }
        return refused;
    }
}
