package org.naklab.lab.replica.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.books.BookView;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.OrderBookSnapshotDecoder;
import org.naklab.messaging.codec.OrderBookSnapshotEncoder;

@Timeout(10)
final class ViewedSnapshotsTest {
    private final CachedNanoClock clock = new CachedNanoClock();
    private final ViewedSnapshots viewed = new ViewedSnapshots(clock);

    @Test
    void shouldTellTheAgeOfTheSnapshotOfEachInstrument() {
        snapshot(7, 3);
        at(40);
        snapshot(2, 7);
        at(50);
        List<BookView> seen = viewed.take();
        assertThat(seen).extracting(BookView::instrument).containsExactly(2, 7);
        assertThat(seen)
                .extracting(book -> TimeUnit.NANOSECONDS.toMillis(book.ageNs()))
                .containsExactly(10L, 50L);
        assertThat(seen.get(0).bids()).as("five levels of seven").hasSize(5);
        assertThat(seen.get(1).asks()).containsExactly(new BookView.Level(200, 10, 1));
        at(400);
        assertThat(viewed.take()).as("nothing new has come").isEmpty();
        snapshot(7, 3);
        assertThat(viewed.take())
                .extracting(book -> TimeUnit.NANOSECONDS.toMillis(book.ageNs()))
                .containsExactly(360L, 0L);
    }

    @Test
    void shouldKeepTheInstrumentsWithTheLowestNumbers() {
        for (int instrument = 20; instrument > 0; instrument--) {
            snapshot(instrument, 1);
        }
        assertThat(viewed.take()).extracting(BookView::instrument).containsExactly(1, 2, 3, 4, 5, 6);
    }

    private void at(long ms) {
        clock.update(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private void snapshot(int instrument, int bids) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[1_024]);
        OrderBookSnapshotEncoder encoder =
                new OrderBookSnapshotEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.sequence(1).secondNs(0).instrumentId(instrument).index(0).seriesLength(1);
        OrderBookSnapshotEncoder.BidsEncoder levels = encoder.bidsCount(bids);
        for (int i = 0; i < bids; i++) {
            levels.next().price(100 - i).quantity(10).orders(1);
        }
        encoder.asksCount(1).next().price(200).quantity(10).orders(1);
        viewed.onSnapshot(new OrderBookSnapshotDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder()));
    }
}
