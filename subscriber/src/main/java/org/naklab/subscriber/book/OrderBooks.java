package org.naklab.subscriber.book;

import java.util.Arrays;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.derived.BookView;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/**
 * The books of all instruments, driven by order events. Not thread-safe. Once the number of orders, levels and books has been
 * reached before, an event allocates nothing.
 *
 * <p>An event about an order that does not rest here takes its quantity out of the anonymous liquidity at the event's price
 * and side (see {@link #seed}); what is not there is ignored, and the event counted by {@link #unknownOrders()}.
 */
public final class OrderBooks implements BookView {
    private final Pools pools = new Pools();
    private final Int2ObjectHashMap<OrderBook> byInstrument = new Int2ObjectHashMap<>();
    private @Nullable OrderBook[] inOrder = new OrderBook[8];
    private int size;
    private long unknownOrders;
    private long doubtfulEvents;

    /** Applies one event. */
    @Override
    public void apply(OrderEvent event) {
        switch (event.type) {
            case ADD -> add(event);
            case CANCEL_PART, EXECUTE -> reduce(event);
            case DELETE -> delete(event);
            case HALT -> open(event.instrumentId).halted(true);
            case RESUME -> open(event.instrumentId).halted(false);
            case HIDDEN_TRADE -> {
                // By definition the book does not show what traded.
            }
        }
    }

    /**
     * Adds liquidity of unknown orders, which stands first in its level's queue.
     *
     * @throws IllegalArgumentException when the quantity is not positive
     */
    public void seed(int instrumentId, Side side, long price, long quantity) {
        if (quantity <= 0) {
            throw new IllegalArgumentException("seeded quantity must be positive: " + quantity);
        }
        open(instrumentId).addAnonymous(side, price, quantity);
    }

    /**
     * Takes note of an event that the seeded levels already contain. The order of an {@code ADD} becomes known, and its
     * quantity is carved out of the anonymous liquidity of its level (what is not there is added: a seed of ten levels does
     * not show an order outside them). A halt or its end is applied. The effect of any other event is in the levels already.
     */
    public void adopt(OrderEvent event) {
        switch (event.type) {
            case ADD -> {
                open(event.instrumentId).takeAnonymous(event.side, event.price, Math.max(0, event.quantity));
                add(event);
            }
            case HALT, RESUME -> apply(event);
            case CANCEL_PART, DELETE, EXECUTE, HIDDEN_TRADE -> {
                // The levels were taken after it.
            }
        }
    }

    /** An instrument's book, or null when no event or seed has opened one. */
    public @Nullable OrderBook book(int instrumentId) {
        return byInstrument.get(instrumentId);
    }

    /** Number of books. */
    public int size() {
        return size;
    }

    /**
     * A book by the order in which the books were opened.
     *
     * @throws IndexOutOfBoundsException unless 0 &lt;= index &lt; {@link #size()}
     */
    public OrderBook at(int index) {
        OrderBook book = index < size ? inOrder[index] : null;
        if (book == null) {
            throw new IndexOutOfBoundsException(index);
        }
        return book;
    }

    /** Events so far about orders that did not rest here, and for which the anonymous liquidity was not enough. */
    public long unknownOrders() {
        return unknownOrders;
    }

    /**
     * Events so far that no correct feed holds: an id added while it rests, a quantity that is not positive, or more taken
     * from an order than rests. The first two are ignored; the last takes what rests.
     */
    public long doubtfulEvents() {
        return doubtfulEvents;
    }

    /** Returns whether the instrument's book has a bid. */
    @Override
    public boolean hasBid(int instrumentId) {
        OrderBook book = book(instrumentId);
        return book != null && book.has(Side.BUY);
    }

    /** Returns whether the instrument's book has an offer. */
    @Override
    public boolean hasAsk(int instrumentId) {
        OrderBook book = book(instrumentId);
        return book != null && book.has(Side.SELL);
    }

    /** Best bid price, or 0. */
    @Override
    public long bestBidPrice(int instrumentId) {
        OrderBook book = book(instrumentId);
        return book == null ? 0 : book.bestPrice(Side.BUY);
    }

    /** Quantity at the best bid price, or 0. */
    @Override
    public long bestBidQuantity(int instrumentId) {
        OrderBook book = book(instrumentId);
        return book == null ? 0 : book.bestQuantity(Side.BUY);
    }

    /** Best offer price, or 0. */
    @Override
    public long bestAskPrice(int instrumentId) {
        OrderBook book = book(instrumentId);
        return book == null ? 0 : book.bestPrice(Side.SELL);
    }

    /** Quantity at the best offer price, or 0. */
    @Override
    public long bestAskQuantity(int instrumentId) {
        OrderBook book = book(instrumentId);
        return book == null ? 0 : book.bestQuantity(Side.SELL);
    }

    private void add(OrderEvent event) {
        OrderBook book = open(event.instrumentId);
        if (event.quantity <= 0 || book.find(event.orderId) != null) {
            doubtfulEvents++;
        } else {
            book.add(event.orderId, event.side, event.price, event.quantity);
        }
    }

    private void reduce(OrderEvent event) {
        OrderBook book = byInstrument.get(event.instrumentId);
        Order order = book == null ? null : book.find(event.orderId);
        if (event.quantity <= 0) {
            doubtfulEvents++;
        } else if (book == null || order == null) {
            takeAnonymous(book, event);
        } else if (event.quantity < order.quantity) {
            book.reduce(order, event.quantity);
        } else {
            doubtfulEvents += event.quantity > order.quantity ? 1 : 0;
            book.remove(order);
        }
    }

    private void delete(OrderEvent event) {
        OrderBook book = byInstrument.get(event.instrumentId);
        Order order = book == null ? null : book.find(event.orderId);
        if (book == null || order == null) {
            takeAnonymous(book, event);
        } else {
            book.remove(order);
        }
    }

    private void takeAnonymous(@Nullable OrderBook book, OrderEvent event) {
        // A deletion may come from a source that does not tell what rested: then nothing is known to take.
        long asked = Math.max(0, event.quantity);
        long taken = book == null ? 0 : book.takeAnonymous(event.side, event.price, asked);
        if (taken < asked || asked == 0) {
            unknownOrders++;
        }
    }

    private OrderBook open(int instrumentId) {
        OrderBook book = byInstrument.get(instrumentId);
        if (book == null) {
            book = new OrderBook(instrumentId, pools);
            byInstrument.put(instrumentId, book);
            if (size == inOrder.length) {
                inOrder = Arrays.copyOf(inOrder, size * 2);
            }
            inOrder[size++] = book;
        }
        return book;
    }
}
