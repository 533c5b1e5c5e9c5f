package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBooks;

class SuspectBooksTest {
    private final OrderBooks books = new OrderBooks();
    private final ServiceCounters counters = new ServiceCounters(false);
    private final CachedNanoClock clock = new CachedNanoClock();
    private final SuspectBooks suspect = new SuspectBooks(books, counters, clock);

    @Test
    void shouldCountNothingWhileNoEventIsMissing() {
        open(1);
        at(5_000);
        suspect.onEnd();
        suspect.onBatchEnd();
        assertThat(counters.suspectSince()).isZero();
        assertThat(counters.suspectBookNs()).isZero();
    }

    /** Two books for 100 ns, three for 50 ns, and nothing after the end of the feed. */
    @Test
    void shouldCountEachBookFromTheFirstMissingEventToTheEndOfTheFeed() {
        open(1);
        open(2);
        at(1_000);
        suspect.onGap(7, 9);
        at(1_100);
        open(3);
        suspect.onGap(12, 12);
        at(1_150);
        suspect.onEnd();
        at(9_000);
        assertThat(counters.suspectSince()).isEqualTo(7);
        assertThat(counters.suspectBookNs()).isEqualTo(2 * 100 + 3 * 50);
    }

    private void at(long nowNs) {
        clock.update(nowNs);
        suspect.onBatchEnd();
    }

    private void open(int instrumentId) {
        books.apply(new OrderEvent().set(EventType.ADD, instrumentId, 0, instrumentId, Side.BUY, 100, 1));
    }
}
