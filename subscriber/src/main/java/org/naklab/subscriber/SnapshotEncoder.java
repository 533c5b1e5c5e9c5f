package org.naklab.subscriber;

import static java.util.Objects.requireNonNull;

import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.OrderBookSnapshotEncoder;
import org.naklab.messaging.codec.OrderBookSnapshotEncoder.AsksEncoder;
import org.naklab.messaging.codec.OrderBookSnapshotEncoder.BidsEncoder;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.LevelConsumer;
import org.naklab.subscriber.book.OrderBook;

/** Writes one book's best levels as an {@code OrderBookSnapshot}. Not thread-safe; allocates nothing. */
final class SnapshotEncoder {
    private final int maxLevels;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final OrderBookSnapshotEncoder snapshot = new OrderBookSnapshotEncoder();
    private final LevelConsumer bidWriter = this::writeBid;
    private final LevelConsumer askWriter = this::writeAsk;
    private @Nullable BidsEncoder bids;
    private @Nullable AsksEncoder asks;

    SnapshotEncoder(int maxLevels) {
        this.maxLevels = maxLevels;
    }

    /** Bytes of a snapshot with so many levels on either side. */
    static int maxLength(int levels) {
        int groups = BidsEncoder.sbeHeaderSize() + AsksEncoder.sbeHeaderSize();
        int entries = levels * (BidsEncoder.sbeBlockLength() + AsksEncoder.sbeBlockLength());
        return MessageHeaderEncoder.ENCODED_LENGTH + OrderBookSnapshotEncoder.BLOCK_LENGTH + groups + entries;
    }

    /** Writes at offset 0; returns the length in bytes. */
    int encode(OrderBook book, long sequence, long secondNs, int index, int seriesLength, MutableDirectBuffer buffer) {
        snapshot.wrapAndApplyHeader(buffer, 0, header)
                .sequence(sequence)
                .secondNs(secondNs)
                .instrumentId(book.instrumentId())
                .index(index)
                .seriesLength(seriesLength);
        bids = snapshot.bidsCount(Math.min(maxLevels, book.levels(Side.BUY)));
        book.copyLevels(Side.BUY, maxLevels, bidWriter);
        asks = snapshot.asksCount(Math.min(maxLevels, book.levels(Side.SELL)));
        book.copyLevels(Side.SELL, maxLevels, askWriter);
        return MessageHeaderEncoder.ENCODED_LENGTH + snapshot.encodedLength();
    }

    private void writeBid(long price, long quantity, int orders) {
        requireNonNull(bids).next().price(price).quantity(quantity).orders(orders);
    }

    private void writeAsk(long price, long quantity, int orders) {
        requireNonNull(asks).next().price(price).quantity(quantity).orders(orders);
    }
}
