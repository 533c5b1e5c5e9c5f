package org.naklab.subscriber;

import org.naklab.messaging.codec.OrderBookSnapshotDecoder;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;

/** Snapshots and books in one notation, so that they can be compared. */
final class Snapshots {
    private Snapshots() {}

    static String describe(OrderBookSnapshotDecoder snapshot) {
        StringBuilder text = new StringBuilder();
        text.append(snapshot.secondNs() / 1_000_000_000).append("s ");
        text.append(snapshot.index()).append('/').append(snapshot.seriesLength());
        text.append(" #").append(snapshot.sequence()).append(' ');
        return text.append(book(snapshot)).toString();
    }

    static String book(OrderBookSnapshotDecoder snapshot) {
        StringBuilder text = new StringBuilder("instrument ").append(snapshot.instrumentId());
        for (OrderBookSnapshotDecoder.BidsDecoder bid : snapshot.bids()) {
            append(text, " bid ", bid.price(), bid.quantity(), bid.orders());
        }
        for (OrderBookSnapshotDecoder.AsksDecoder ask : snapshot.asks()) {
            append(text, " ask ", ask.price(), ask.quantity(), ask.orders());
        }
        return text.toString();
    }

    static String book(OrderBook book, int maxLevels) {
        StringBuilder text = new StringBuilder("instrument ").append(book.instrumentId());
        book.copyLevels(
                Side.BUY, maxLevels, (price, quantity, orders) -> append(text, " bid ", price, quantity, orders));
        book.copyLevels(
                Side.SELL, maxLevels, (price, quantity, orders) -> append(text, " ask ", price, quantity, orders));
        return text.toString();
    }

    private static void append(StringBuilder text, String side, long price, long quantity, int orders) {
        text.append(side).append(price).append('x').append(quantity).append('/').append(orders);
    }
}
