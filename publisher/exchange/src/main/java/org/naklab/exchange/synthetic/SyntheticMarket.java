package org.naklab.exchange.synthetic;

import static org.naklab.exchange.synthetic.SyntheticBooks.ASK;
import static org.naklab.exchange.synthetic.SyntheticBooks.BID;

import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** Tells what the synthetic exchange's members do: each method changes one book and fills in the event that says so. */
final class SyntheticMarket {
    private final SyntheticBooks books;
    private final SyntheticPrices prices;
    private final SplitMix64 random;
    private long lastOrderId;

    SyntheticMarket(SyntheticBooks books, SyntheticPrices prices, SplitMix64 random) {
        this.books = books;
        this.prices = prices;
        this.random = random;
    }

    /** Adds an order, or deletes one where the side is full. */
    void addOrDelete(OrderEvent event, int instrument, int side) {
        if (books.isFull(instrument, side)) {
            delete(event, instrument, side);
            return;
        }
        long bits = random.next();
        int ticks = quote(instrument, side, bits);
        int quantity = lots(bits >>> 32);
        long orderId = ++lastOrderId;
        books.add(instrument, side, orderId, ticks, quantity);
        fill(event, EventType.ADD, orderId, side, ticks, quantity);
    }

    /** Near the mid, sometimes deep in the book, and never across the other side's best. */
    private int quote(int instrument, int side, long bits) {
        int distance = 1 + Long.numberOfTrailingZeros(bits | (1 << 15));
        if (((bits >>> 16) & 0xf) == 0) {
            distance += (int) ((bits >>> 20) & 0x3f);
        }
        int ticks = prices.mid(instrument) + (side == BID ? -distance : distance);
        int other = 1 - side;
        if (books.count(instrument, other) > 0) {
            int bestOther = books.ticks(other, books.bestSlot(instrument, other));
            ticks = side == BID ? Math.min(ticks, bestOther - 1) : Math.max(ticks, bestOther + 1);
        }
        return ticks;
    }

    /** Executes, cancels in part or deletes (the wish) an order of a side that is not empty. */
    void take(OrderEvent event, EventType wish, int instrument, int side) {
        if (wish == EventType.EXECUTE) {
            execute(event, instrument, sideUnderPressure(instrument, side));
        } else if (wish == EventType.CANCEL_PART) {
            cancelPart(event, instrument, side);
        } else {
            delete(event, instrument, side);
        }
    }

    /** Orders that the mid has walked past trade first, so that books follow their prices. */
    private int sideUnderPressure(int instrument, int side) {
        int mid = prices.mid(instrument);
        for (int candidate = BID; candidate <= ASK; candidate++) {
            if (books.count(instrument, candidate) > 0) {
                int best = books.ticks(candidate, books.bestSlot(instrument, candidate));
                if (SyntheticBooks.merit(candidate, best - mid) > 0) {
                    return candidate;
                }
            }
        }
        return side;
    }

    private void execute(OrderEvent event, int instrument, int side) {
        int slot = books.bestSlot(instrument, side);
        int resting = books.quantity(slot);
        long bits = random.next();
        int quantity = (bits & 1) == 0 ? resting : 1 + SplitMix64.below(resting, bits >>> 32);
        fill(event, EventType.EXECUTE, books.orderId(slot), side, books.ticks(side, slot), quantity);
        if (quantity == resting) {
            books.remove(instrument, side, slot);
        } else {
            books.reduce(slot, quantity);
        }
    }

    private void cancelPart(OrderEvent event, int instrument, int side) {
        long bits = random.next();
        int slot = books.slot(instrument, side, SplitMix64.below(books.count(instrument, side), bits));
        int resting = books.quantity(slot);
        if (resting == 1) {
            delete(event, instrument, side, slot);
            return;
        }
        int quantity = 1 + SplitMix64.below(resting - 1, bits >>> 32);
        fill(event, EventType.CANCEL_PART, books.orderId(slot), side, books.ticks(side, slot), quantity);
        books.reduce(slot, quantity);
    }

    private void delete(OrderEvent event, int instrument, int side) {
        int rank = SplitMix64.below(books.count(instrument, side), random.next());
        delete(event, instrument, side, books.slot(instrument, side, rank));
    }

    private void delete(OrderEvent event, int instrument, int side, int slot) {
        fill(event, EventType.DELETE, books.orderId(slot), side, books.ticks(side, slot), books.quantity(slot));
        books.remove(instrument, side, slot);
    }

    /** A trade at the mid that no resting order shows. */
    void hiddenTrade(OrderEvent event, int instrument, int side) {
        fill(event, EventType.HIDDEN_TRADE, 0, side, prices.mid(instrument), lots(random.next()));
    }

    /** Mostly round lots of 100, a quarter odd lots. */
    private static int lots(long bits) {
        return (bits & 3) == 0
                ? 1 + SplitMix64.below(99, bits)
                : 100 * (1 + Long.numberOfTrailingZeros((bits >>> 2) | (1 << 5)));
    }

    private static void fill(OrderEvent event, EventType type, long orderId, int side, int ticks, int quantity) {
        event.type = type;
        event.orderId = orderId;
        event.side = side == BID ? Side.BUY : Side.SELL;
        event.price = (long) ticks * SyntheticPrices.FEED_UNITS_PER_TICK;
        event.quantity = quantity;
    }
}
