package org.naklab.subscriber.book;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.naklab.messaging.feed.Side;

/**
 * CRC-32C over all that rests: instruments by ascending id, of each its status and its bids and asks from the best level down,
 * of each level price, quantity and the queue of orders. Equal books have equal digests, in whatever order they were opened.
 */
public final class BooksDigest {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer words = ByteBuffer.allocate(3 * Long.BYTES);

    private BooksDigest() {}

    /** The digest, 0 to 2^32 - 1. Not for the hot path. */
    public static long of(OrderBooks books) {
        BooksDigest digest = new BooksDigest();
        IntStream.range(0, books.size())
                .map(index -> books.at(index).instrumentId())
                .sorted()
                .mapToObj(books::book)
                .forEach(book -> digest.take(Objects.requireNonNull(book)));
        return digest.crc.getValue();
    }

    private void take(OrderBook book) {
        take(book.instrumentId(), book.halted() ? 1 : 0, 0);
        for (Side side : Side.values()) {
            take(side == Side.BUY ? 0 : 1, book.levels(side), 0);
            book.copyLevels(side, Integer.MAX_VALUE, (price, quantity, orders) -> {
                take(price, quantity, orders);
                book.copyOrders(side, price, (orderId, rests) -> take(orderId, rests, 0));
            });
        }
    }

    private void take(long first, long second, long third) {
        words.clear();
        words.putLong(first).putLong(second).putLong(third).flip();
        crc.update(words);
    }
}
