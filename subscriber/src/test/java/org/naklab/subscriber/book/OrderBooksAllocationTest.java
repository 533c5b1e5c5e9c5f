package org.naklab.subscriber.book;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

@Timeout(60)
class OrderBooksAllocationTest {
    private static final int EVENTS = 200_000;
    private static final int ORDERS = 1_000;
    /** The compiler removes allocations from the loops when it has compiled them, which takes longer on a busy machine. */
    private static final int ROUNDS = 10;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final OrderBooks books = new OrderBooks();
    private final OrderEvent event = new OrderEvent();

    @Test
    void shouldAllocateNothingOnceWarm() {
        long fewestBytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            run();
            fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
        }

        // The measurement and the run's random numbers themselves take a constant few bytes.
        assertThat(fewestBytes).isLessThan(4_096);
        assertThat(books.doubtfulEvents() + books.unknownOrders()).isZero();
    }

    /** Adds and removes orders so that the books are empty at its end, the same every time. */
    private void run() {
        Random random = new Random(42);
        for (int i = 0; i < EVENTS; i++) {
            if (i >= ORDERS) {
                apply(EventType.DELETE, i - ORDERS);
            }
            event.price = 1_000L + random.nextInt(200);
            apply(EventType.ADD, i);
        }
        for (int i = EVENTS - ORDERS; i < EVENTS; i++) {
            apply(EventType.DELETE, i);
        }
    }

    private void apply(EventType type, int id) {
        Side side = (id & 1) == 0 ? Side.BUY : Side.SELL;
        books.apply(event.set(type, 1 + id % 7, 0, id, side, event.price, 10));
    }
}
