package org.naklab.lab.cli.books;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.lobster.BookLevel;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;
import org.naklab.subscriber.book.OrderBooks;

/**
 * One instrument's book, seeded by levels and driven by a file that tells only of what happened within so many levels, as a
 * LOBSTER file does. Such a file is silent about orders that came or went while their price lay outside. Three rules tell
 * about them nevertheless:
 *
 * <ul>
 *   <li>An order that the file takes from but never adds came in unseen, see {@link HiddenArrivals}.
 *   <li>What lies outside and is never mentioned again has gone unseen, see {@link OrderMentions}.
 *   <li>Trades take the best price first, and a book does not cross: what stands at a better price than a trade, or crosses a
 *       new order, has gone.
 * </ul>
 */
final class BookReplay {
    private final OrderBooks books = new OrderBooks();
    private final List<BookLevel> initial;
    private final @Nullable LookAhead ahead;
    private final StaleLevelRemover removal = new StaleLevelRemover(books);
    private long events;

    /**
     * A book before its first event.
     *
     * @param initial the levels after the first event; empty: the book begins empty and the file tells all
     * @param ahead {@code null}: what is to come is not known
     */
    BookReplay(List<BookLevel> initial, @Nullable LookAhead ahead) {
        this.initial = List.copyOf(initial);
        this.ahead = ahead;
    }

    /** The instrument's book; {@code null} before its first event. */
    @Nullable
    OrderBook book(int instrumentId) {
        return books.book(instrumentId);
    }

    /** Events applied. */
    long events() {
        return events;
    }

    /** Takes in the next event of the one instrument. */
    void apply(OrderEvent event) {
        events++;
        OrderBook book = books.book(event.instrumentId);
        if (initial.isEmpty()) {
            books.apply(event);
        } else if (book == null) {
            initial.forEach(level -> books.seed(event.instrumentId, level.side(), level.price(), level.quantity()));
            books.adopt(event);
        } else {
            applyShallow(book, event);
        }
    }

    private void applyShallow(OrderBook book, OrderEvent event) {
        if (ahead != null) {
            ahead.unseen().arrive(books, book, ahead.depth(), events);
        }
        removeGone(book, event);
        if (ahead != null && LookAhead.isAboutUnknown(book, event)) {
            ahead.mentions().taken(event);
        }
        books.apply(event);
        if (ahead != null) {
            removal.removeUnmentioned(book, Side.BUY, ahead, events);
            removal.removeUnmentioned(book, Side.SELL, ahead, events);
        }
    }

    private void removeGone(OrderBook book, OrderEvent event) {
        if (event.type == EventType.EXECUTE) {
            removal.removeBetter(book, event.side, event.price, false);
        } else if (event.type == EventType.ADD) {
            removal.removeBetter(book, event.side == Side.BUY ? Side.SELL : Side.BUY, event.price, true);
        }
    }
}
