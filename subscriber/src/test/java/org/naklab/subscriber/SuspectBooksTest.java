package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;
import org.naklab.subscriber.book.OrderBooks;

class SuspectBooksTest {
    private static final int LEVELS = 2;

    private final OrderBooks books = new OrderBooks();
    private final ServiceCounters counters = new ServiceCounters(false);
    private final CachedNanoClock clock = new CachedNanoClock();
    private final List<Integer> confirmed = new ArrayList<>();
    private final SnapshotCheck check = new SnapshotCheck(LEVELS);
    private final SuspectBooks suspect = new SuspectBooks(books, counters, clock, check, new AppliedEventListener() {
        @Override
        public void onConfirmed(int instrumentId) {
            confirmed.add(instrumentId);
        }
    });
    /** The books of the service, which missed nothing. */
    private final OrderBooks whole = new OrderBooks();

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

    /** The missing event was one of the second book. */
    @Test
    void shouldConfirmABookThatIsAsItsSnapshotAndNoOther() {
        open(1);
        open(2);
        at(1_000);
        suspect.onGap(3, 3);
        whole.apply(order(2, 9, 101));
        snapshot(1, 3);
        snapshot(2, 3);
        assertThat(suspect.confirm(2))
                .as("the snapshots are later than the books")
                .isZero();
        clock.update(1_100);
        assertThat(suspect.confirm(3)).as("it may lack what is missing").isZero();
        snapshot(1, 4);
        snapshot(2, 4);
        assertThat(suspect.confirm(4)).isEqualTo(1);
        assertThat(confirmed).containsExactly(1);
        at(1_150);
        suspect.onEnd();
        assertThat(counters.suspectBookNs()).isEqualTo(2 * 100 + 50);
    }

    /** It shows another moment of the book. */
    @Test
    void shouldNotCompareABookThatHasChangedSinceItsSnapshot() {
        open(1);
        suspect.onGap(2, 2);
        suspect.onApplied(1, 5);
        snapshot(1, 4);
        assertThat(suspect.confirm(5)).isZero();
        snapshot(1, 5);
        assertThat(suspect.confirm(5)).isEqualTo(1);
    }

    @Test
    void shouldSuspectAConfirmedBookAgainWhenMoreIsMissing() {
        open(1);
        at(1_000);
        suspect.onGap(2, 2);
        snapshot(1, 3);
        assertThat(suspect.confirm(3)).isEqualTo(1);
        at(2_000);
        suspect.onGap(4, 4);
        at(2_010);
        assertThat(counters.suspectBookNs()).isEqualTo(10);
        snapshot(1, 4);
        assertThat(suspect.confirm(5)).isZero();
        snapshot(1, 5);
        assertThat(suspect.confirm(5)).isEqualTo(1);
    }

    private void snapshot(int instrumentId, long sequence) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[SnapshotEncoder.maxLength(LEVELS)]);
        OrderBook book = Objects.requireNonNull(whole.book(instrumentId));
        check.onSnapshot(buffer, 0, new SnapshotEncoder(LEVELS).encode(book, sequence, 0, 0, whole.size(), buffer));
    }

    private void at(long nowNs) {
        clock.update(nowNs);
        suspect.onBatchEnd();
    }

    private void open(int instrumentId) {
        books.apply(order(instrumentId, instrumentId, 100));
        whole.apply(order(instrumentId, instrumentId, 100));
    }

    private static OrderEvent order(int instrumentId, long orderId, long price) {
        return new OrderEvent().set(EventType.ADD, instrumentId, 0, orderId, Side.BUY, price, 1);
    }
}
