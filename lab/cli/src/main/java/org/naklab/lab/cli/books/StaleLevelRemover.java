package org.naklab.lab.cli.books;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.agrona.collections.LongHashSet;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;
import org.naklab.subscriber.book.OrderBooks;

/** Takes out of a book what has gone without an event, by deletions of its own. */
final class StaleLevelRemover {
    private static final int NO_ORDER = -1;

    private final OrderBooks books;
    private final OrderEvent deletion = new OrderEvent();
    private final List<Long> found = new ArrayList<>();
    private final LongHashSet doubtedOrders = new LongHashSet();
    private final LongHashSet doubtedLevels = new LongHashSet();

    StaleLevelRemover(OrderBooks books) {
        this.books = books;
    }

    /** Removes the side's levels that are better than the price, and with {@code inclusive} the one at it. */
    void removeBetter(OrderBook book, Side side, long price, boolean inclusive) {
        while (book.has(side) && isBetter(side, book.bestPrice(side), price, inclusive)) {
            long best = book.bestPrice(side);
            removeOrders(book, side, best, order -> true);
            removeAnonymous(book, side, best, 0);
        }
    }

    /**
     * Doubts what lies outside the levels that the file tells of and is not mentioned any more. It may rest to the file's end
     * or have gone unseen; when it becomes the best, where orders do not rest for long without a word, it has gone.
     */
    void removeUnmentioned(OrderBook book, Side side, LookAhead ahead, long eventIndex) {
        for (long price : pricesOutside(book, side, ahead.depth())) {
            doubtedLevels.add(price);
            book.copyOrders(side, price, (orderId, quantity) -> {
                if (!ahead.mentions().isMentionedAfter(orderId, eventIndex)) {
                    doubtedOrders.add(orderId);
                }
            });
        }
        long last = 0;
        while (book.has(side) && book.bestPrice(side) != last) {
            last = book.bestPrice(side);
            removeOrders(book, side, last, doubtedOrders::contains);
            if (doubtedLevels.contains(last)) {
                removeAnonymous(book, side, last, ahead.mentions().takenLater(side, last));
            }
        }
    }

    private static boolean isBetter(Side side, long best, long price, boolean inclusive) {
        if (best == price) {
            return inclusive;
        }
        return side == Side.BUY ? best > price : best < price;
    }

    private static long[] pricesOutside(OrderBook book, Side side, int depth) {
        int levels = book.levels(side);
        if (levels <= depth) {
            return new long[0];
        }
        long[] prices = new long[levels - depth];
        int[] position = {-depth};
        book.copyLevels(side, levels, (price, quantity, orders) -> {
            if (position[0] >= 0) {
                prices[position[0]] = price;
            }
            position[0]++;
        });
        return prices;
    }

    private void removeOrders(OrderBook book, Side side, long price, LongPredicate isGone) {
        found.clear();
        book.copyOrders(side, price, (orderId, quantity) -> {
            if (isGone.test(orderId)) {
                found.add(orderId);
            }
        });
        found.forEach(orderId -> remove(book, orderId, side, price, book.orderQuantity(orderId)));
    }

    private void removeAnonymous(OrderBook book, Side side, long price, long left) {
        long gone = book.anonymousQuantity(side, price) - left;
        if (gone > 0) {
            remove(book, NO_ORDER, side, price, gone);
        }
    }

    private void remove(OrderBook book, long orderId, Side side, long price, long quantity) {
        int shares = Math.toIntExact(quantity);
        books.apply(deletion.set(EventType.DELETE, book.instrumentId(), 0, orderId, side, price, shares));
    }
}
