package org.naklab.exchange.itch;

import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/**
 * Turns messages into order book events. Field offsets are those of the specification, section 4 "message formats"; order
 * reference and body start at 11 after the common header.
 */
final class ItchMapper {
    private final ItchFrames frames;
    private final ItchOrders orders;
    private final SymbolDirectory symbols;
    private final OrderEvent replacement = new OrderEvent();
    private boolean hasReplacement;

    ItchMapper(ItchFrames frames, ItchOrders orders, SymbolDirectory symbols) {
        this.frames = frames;
        this.orders = orders;
        this.symbols = symbols;
    }

    /** The second half of a replace, if one is due. */
    boolean takeReplacement(OrderEvent event) {
        if (hasReplacement) {
            hasReplacement = false;
            event.copyFrom(replacement);
            return true;
        }
        return false;
    }

    /** Maps the current message; {@code false} when it is none of the book's business. */
    boolean map(OrderEvent event) {
        switch (frames.type()) {
            case STOCK_DIRECTORY -> symbols.put(frames.stockLocate(), frames.alphaAt(11, 8));
            case STOCK_TRADING_ACTION -> {
                return tradingAction(event);
            }
            case ADD_ORDER, ADD_ORDER_ATTRIBUTED -> {
                add(frames.int64At(11), frames.stockLocate(), side(19), quantity(20), frames.uint32At(32), event);
                return true;
            }
            case ORDER_EXECUTED -> {
                int slot = restingSlot(11);
                reduce(EventType.EXECUTE, slot, quantity(19), orders.price(slot), event);
                return true;
            }
            case ORDER_EXECUTED_WITH_PRICE -> {
                reduce(EventType.EXECUTE, restingSlot(11), quantity(19), frames.uint32At(32), event);
                return true;
            }
            case ORDER_CANCEL -> {
                cancel(event);
                return true;
            }
            case ORDER_DELETE -> {
                delete(restingSlot(11), event);
                return true;
            }
            case ORDER_REPLACE -> {
                replace(event);
                return true;
            }
            case TRADE -> {
                hiddenTrade(frames.int64At(11), side(19), quantity(20), frames.uint32At(32), event);
                return true;
            }
            case CROSS_TRADE -> {
                return crossTrade(event);
            }
            default -> {
                return false;
            }
        }
        return false;
    }

    /** 'Q', the quotation-only period after a halt, counts as a resumption: the book moves again. */
    private boolean tradingAction(OrderEvent event) {
        EventType type =
                switch (frames.charAt(19)) {
                    case 'H', 'P' -> EventType.HALT;
                    case 'Q', 'T' -> EventType.RESUME;
                    default ->
                        throw frames.bad(
                                "unknown trading state " + OrderFlowException.shown(String.valueOf(frames.charAt(19))));
                };
        event.set(type, frames.stockLocate(), frames.timestampNs(), 0, Side.BUY, 0, 0);
        return true;
    }

    private void add(long orderId, int instrumentId, Side side, int quantity, long price, OrderEvent event) {
        if (orders.find(orderId) != ItchOrders.NONE) {
            throw frames.bad("order " + orderText(orderId) + " is added, but rests already");
        }
        if (orders.isFull()) {
            throw frames.bad(
                    "more than " + orders.size() + " orders rest, which is all that fits into this JVM's memory");
        }
        orders.add(orderId, instrumentId, side, price, quantity);
        event.set(EventType.ADD, instrumentId, frames.timestampNs(), orderId, side, price, quantity);
    }

    private void reduce(EventType type, int slot, int quantity, long price, OrderEvent event) {
        long orderId = frames.int64At(11);
        int rest = orders.quantity(slot) - quantity;
        if (rest < 0) {
            throw frames.bad("order " + orderText(orderId) + " is to lose " + quantity + " shares, but rests with "
                    + orders.quantity(slot));
        }
        event.set(type, orders.instrumentId(slot), frames.timestampNs(), orderId, orders.side(slot), price, quantity);
        if (rest == 0) {
            orders.remove(orderId, slot);
        } else {
            orders.reduce(slot, quantity);
        }
    }

    /** A cancel of all that rests is a delete. */
    private void cancel(OrderEvent event) {
        int slot = restingSlot(11);
        int quantity = quantity(19);
        EventType type = quantity == orders.quantity(slot) ? EventType.DELETE : EventType.CANCEL_PART;
        reduce(type, slot, quantity, orders.price(slot), event);
    }

    private void delete(int slot, OrderEvent event) {
        reduce(EventType.DELETE, slot, orders.quantity(slot), orders.price(slot), event);
    }

    /** The new order has the side and the stock of the old one, but a place of its own in the queue. */
    private void replace(OrderEvent event) {
        int slot = restingSlot(11);
        Side side = orders.side(slot);
        int instrumentId = orders.instrumentId(slot);
        int quantity = quantity(27);
        delete(slot, event);
        add(frames.int64At(19), instrumentId, side, quantity, frames.uint32At(31), replacement);
        hasReplacement = true;
    }

    private boolean crossTrade(OrderEvent event) {
        long shares = frames.int64At(11);
        if (shares == 0) {
            return false; // the cross found nobody: nothing traded
        }
        if (shares < 0 || shares > Integer.MAX_VALUE) {
            throw frames.bad("a cross of " + Long.toUnsignedString(shares) + " shares is more than the feed can carry");
        }
        hiddenTrade(0, Side.BUY, (int) shares, frames.uint32At(27), event);
        return true;
    }

    private void hiddenTrade(long orderId, Side side, int quantity, long price, OrderEvent event) {
        event.set(EventType.HIDDEN_TRADE, frames.stockLocate(), frames.timestampNs(), orderId, side, price, quantity);
    }

    private int restingSlot(int offset) {
        int slot = orders.find(frames.int64At(offset));
        if (slot == ItchOrders.NONE) {
            throw frames.bad("order " + orderText(frames.int64At(offset))
                    + " does not rest; was the file cut at its beginning?");
        }
        return slot;
    }

    private Side side(int offset) {
        char code = frames.charAt(offset);
        if (code != 'B' && code != 'S') {
            throw frames.bad("unknown side " + OrderFlowException.shown(String.valueOf(code)));
        }
        return code == 'B' ? Side.BUY : Side.SELL;
    }

    private int quantity(int offset) {
        long shares = frames.uint32At(offset);
        if (shares == 0 || shares > Integer.MAX_VALUE) {
            throw frames.bad("shares must be 1 to " + Integer.MAX_VALUE + ": " + shares);
        }
        return (int) shares;
    }

    private static String orderText(long orderId) {
        return Long.toUnsignedString(orderId);
    }
}
