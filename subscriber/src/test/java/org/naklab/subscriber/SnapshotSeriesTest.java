package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.SendResult;
import org.naklab.subscriber.book.OrderBooks;

@Timeout(60)
class SnapshotSeriesTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final OrderBooks books = new OrderBooks();
    private final RecordingPublication publication = new RecordingPublication();
    private final ServiceCounters counters = new ServiceCounters(true);
    private final SnapshotSeries series = new SnapshotSeries(books, publication, null, () -> 0, 2, SECOND_NS, counters);

    @Test
    void shouldSendEveryBookOnceAtTheSecondBoundary() {
        add(7, Side.BUY, 100);
        add(7, Side.BUY, 99);
        add(7, Side.BUY, 98);
        add(7, Side.SELL, 101);
        add(5, Side.SELL, 300);
        turn(10 * SECOND_NS + 1);
        assertThat(publication.accepted).isEmpty();

        turn(11 * SECOND_NS + 5);
        turn(11 * SECOND_NS + 6);

        assertThat(publication.accepted)
                .containsExactly(
                        "11s 0/2 #42 instrument 7 bid 100x10/1 bid 99x10/1 ask 101x10/1",
                        "11s 1/2 #42 instrument 5 ask 300x10/1");
        assertThat(counters.snapshotsSent()).isEqualTo(2);
    }

    @Test
    void shouldSendNothingAtTheBoundaryBeforeItCameUp() {
        add(1, Side.BUY, 100);
        turn(0);
        turn(SECOND_NS - 1);
        assertThat(publication.accepted).isEmpty();

        turn(SECOND_NS);
        assertThat(publication.accepted).hasSize(1);
    }

    @Test
    void shouldSkipBoundariesThatAStallRanOver() {
        add(1, Side.BUY, 100);
        turn(0);
        turn(5 * SECOND_NS + 3);

        assertThat(publication.accepted).containsExactly("5s 0/1 #42 instrument 1 bid 100x10/1");
    }

    @Test
    void shouldWaitForAWakeUpWhenBlocked() {
        add(1, Side.BUY, 100);
        add(2, Side.BUY, 200);
        turn(0);
        publication.answers.add(SendResult.QUEUED);
        publication.answers.add(SendResult.BLOCKED);

        turn(SECOND_NS);
        turn(SECOND_NS + 1);
        assertThat(publication.offers).isEqualTo(2);

        add(2, Side.BUY, 201);
        publication.wakeUps++;
        turn(SECOND_NS + 2);

        assertThat(publication.offers).isEqualTo(3);
        assertThat(publication.accepted.get(1))
                .as("the book as it is when it goes out")
                .isEqualTo("1s 1/2 #42 instrument 2 bid 201x10/1 bid 200x10/1");
    }

    @Test
    void shouldOfferAgainWhenTheTransportsWindowIsFull() {
        add(1, Side.BUY, 100);
        turn(0);
        publication.answers.add(SendResult.BACK_PRESSURED);

        turn(SECOND_NS);
        turn(SECOND_NS + 1);

        assertThat(publication.accepted).hasSize(1);
    }

    @Test
    void shouldDropAndCountTheRestWhenTheNextSecondBegins() {
        add(1, Side.BUY, 100);
        add(2, Side.BUY, 200);
        add(3, Side.BUY, 300);
        turn(0);
        publication.answers.add(SendResult.SENT);
        publication.answers.add(SendResult.BLOCKED);
        turn(SECOND_NS);
        publication.wakeUps++;

        turn(2 * SECOND_NS);

        assertThat(counters.snapshotsSuperseded()).isEqualTo(2);
        assertThat(publication.accepted).hasSize(4).element(1).asString().startsWith("2s 0/3");
    }

    @Test
    void shouldDropAndCountWhatNobodyWantsToSee() {
        add(1, Side.BUY, 100);
        add(2, Side.BUY, 200);
        turn(0);
        publication.answers.add(SendResult.NOT_CONNECTED);
        turn(SECOND_NS);
        turn(SECOND_NS + 1);

        assertThat(counters.snapshotsUnheard()).isEqualTo(2);
        assertThat(counters.snapshotsSuperseded()).isZero();
        assertThat(publication.offers).isEqualTo(1);
    }

    @Test
    void shouldFailWhenThePublicationClosesUnexpectedly() {
        add(1, Side.BUY, 100);
        turn(0);
        publication.answers.add(SendResult.CLOSED);
        assertThatThrownBy(() -> turn(SECOND_NS)).isInstanceOf(IllegalStateException.class);

        series.stop();
        turn(SECOND_NS + 1);
        assertThat(publication.offers).isEqualTo(1);
    }

    @Test
    void shouldSendWhatThePaceAllows() {
        int length = SnapshotEncoder.maxLength(1);
        long[] nowNs = {0};
        SnapshotPacer pacer = new SnapshotPacer(new RateLimit(8_000_000, 20_000_000), length);
        SnapshotSeries paced = new SnapshotSeries(books, publication, pacer, () -> nowNs[0], 1, SECOND_NS, counters);
        for (int i = 0; i < 500; i++) {
            add(i, Side.BUY, 100);
            add(i, Side.SELL, 101);
        }
        paced.doWork(0, 1);
        while (publication.accepted.size() < 500) {
            int before = publication.accepted.size();
            for (int microseconds = 0; microseconds < 20_000; microseconds++) {
                paced.doWork(SECOND_NS, 1);
                nowNs[0] += 1_000;
            }
            // A snapshot of one level is 84 bytes; with Aeron's header and padding it takes 128 of the budget of
            // 20,000.
            assertThat((publication.accepted.size() - before) * 128).isBetween(1, 20_000);
        }
    }

    @Test
    void shouldRefuseAPaceThatTheLimitHasNoRoomFor() {
        assertThatThrownBy(() -> new SnapshotPacer(new RateLimit(1_000, 20_000_000), 444))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void turn(long epochNs) {
        series.doWork(epochNs, 42);
    }

    private void add(int instrumentId, Side side, long price) {
        books.apply(new OrderEvent().set(EventType.ADD, instrumentId, 0, price, side, price, 10));
    }
}
