package org.naklab.lab.cli.books;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.lobster.BookLevel;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;

/**
 * Tells what a file of so many levels tells about what it is silent about, by being read twice.
 *
 * @param depth levels of a side that the file tells of
 */
record LookAhead(int depth, HiddenArrivals unseen, OrderMentions mentions) {
    /** Reads the flow to its end. */
    static LookAhead read(OrderFlow flow, InstrumentFilter filter, List<BookLevel> initial) {
        HiddenArrivals unseen = new HiddenArrivals();
        OrderMentions mentions = new OrderMentions();
        BookReplay replay = new BookReplay(initial, null);
        OrderEvent event = new OrderEvent();
        while (flow.next(event)) {
            if (filter.accepts(event)) {
                long index = replay.events() + 1;
                mentions.note(event, index);
                OrderBook book = replay.book(event.instrumentId);
                if (book != null && isAboutUnknown(book, event)) {
                    noteUnknown(book, event, index, unseen, mentions);
                }
                replay.apply(event);
            }
        }
        return new LookAhead(depth(initial), unseen.conclude(), mentions);
    }

    /** Returns whether the event reduces an order that does not rest in the book. */
    static boolean isAboutUnknown(@Nullable OrderBook book, OrderEvent event) {
        boolean takes =
                switch (event.type) {
                    case CANCEL_PART, DELETE, EXECUTE -> true;
                    case ADD, HIDDEN_TRADE, HALT, RESUME -> false;
                };
        return takes && book != null && book.orderQuantity(event.orderId) == 0;
    }

    private static void noteUnknown(
            OrderBook book, OrderEvent event, long index, HiddenArrivals unseen, OrderMentions mentions) {
        mentions.noteTaken(event);
        long shortfall = event.quantity - book.anonymousQuantity(event.side, event.price);
        if (shortfall > 0) {
            unseen.note(event, shortfall, index);
        }
    }

    private static int depth(List<BookLevel> initial) {
        long bids = initial.stream().filter(level -> level.side() == Side.BUY).count();
        return (int) Math.max(bids, initial.size() - bids);
    }
}
