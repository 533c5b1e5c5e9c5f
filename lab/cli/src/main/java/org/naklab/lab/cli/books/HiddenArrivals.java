package org.naklab.lab.cli.books;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;
import org.naklab.subscriber.book.OrderBooks;

/**
 * Orders that a file of so many levels takes from without ever having added them, and that its first levels do not hold: they
 * came in while their price lay outside. When exactly the file does not tell; they are taken to arrive as soon as their price
 * lies outside the book's levels, where nobody sees them yet.
 */
final class HiddenArrivals {
    /**
     * A hidden arrival.
     *
     * @param quantity taken from it throughout the file
     * @param firstEvent the first event about it; from 1
     */
    private record Unseen(Side side, long price, long quantity, long firstEvent) {}

    private final Map<Long, Unseen> orders = new LinkedHashMap<>();
    private final PriorityQueue<Unseen> bids = new PriorityQueue<>(Comparator.comparingLong(Unseen::price));
    private final PriorityQueue<Unseen> asks =
            new PriorityQueue<>(Comparator.comparingLong(Unseen::price).reversed());

    /** Notes an event of the file that is read ahead, about an order for which the book lacks that quantity. */
    void note(OrderEvent event, long shortfall, long eventIndex) {
        orders.merge(
                event.orderId,
                new Unseen(event.side, event.price, shortfall, eventIndex),
                (first, more) -> new Unseen(
                        first.side(), first.price(), first.quantity() + more.quantity(), first.firstEvent()));
    }

    /** The file has been read ahead. */
    HiddenArrivals conclude() {
        orders.values().forEach(order -> (order.side() == Side.BUY ? bids : asks).add(order));
        orders.clear();
        return this;
    }

    /** Lets in what may have arrived before that event. */
    void arrive(OrderBooks books, OrderBook book, int depth, long eventIndex) {
        arrive(books, book, depth, eventIndex, bids);
        arrive(books, book, depth, eventIndex, asks);
    }

    /** Those that lie outside first are first in the queue. */
    private static void arrive(
            OrderBooks books, OrderBook book, int depth, long eventIndex, PriorityQueue<Unseen> queue) {
        Unseen next = queue.peek();
        while (next != null && isOutside(book, depth, next)) {
            queue.remove();
            if (next.firstEvent() >= eventIndex) {
                books.seed(book.instrumentId(), next.side(), next.price(), next.quantity());
            }
            next = queue.peek();
        }
    }

    private static boolean isOutside(OrderBook book, int depth, Unseen order) {
        long[] worst = new long[1];
        int levels = book.copyLevels(order.side(), depth, (price, quantity, known) -> worst[0] = price);
        return levels == depth && (order.side() == Side.BUY ? order.price() < worst[0] : order.price() > worst[0]);
    }
}
