package org.naklab.subscriber.book;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.Side;

/**
 * One instrument's resting orders, by price and then by age. Changed through {@link OrderBooks} only; not thread-safe.
 *
 * <p>A level holds known orders, and it may hold liquidity of unknown orders that rested before the feed began. The latter
 * stands first in the queue.
 */
public final class OrderBook {
    private final int instrumentId;
    private final Pools pools;
    private final OrderTable orders = new OrderTable();
    private final LevelLadder bids;
    private final LevelLadder asks;
    private boolean halted;

    OrderBook(int instrumentId, Pools pools) {
        this.instrumentId = instrumentId;
        this.pools = pools;
        bids = new LevelLadder(Side.BUY, pools);
        asks = new LevelLadder(Side.SELL, pools);
    }

    public int instrumentId() {
        return instrumentId;
    }

    /** Returns whether trading is halted. */
    public boolean halted() {
        return halted;
    }

    /** Returns whether the side has a level. */
    public boolean has(Side side) {
        return ladder(side).size() > 0;
    }

    /** Price of the side's best level, currency units times 10,000; 0 when it has none. */
    public long bestPrice(Side side) {
        PriceLevel best = ladder(side).best();
        return best == null ? 0 : best.price;
    }

    /** Quantity of the side's best level; 0 when it has none. */
    public long bestQuantity(Side side) {
        PriceLevel best = ladder(side).best();
        return best == null ? 0 : best.quantity;
    }

    /** Number of the side's levels. */
    public int levels(Side side) {
        return ladder(side).size();
    }

    /** Number of resting orders known by id. */
    public int orders() {
        return orders.size();
    }

    /** Returns what rests of an order; 0 when it does not rest. */
    public long orderQuantity(long orderId) {
        Order order = orders.find(orderId);
        return order == null ? 0 : order.quantity;
    }

    /**
     * Hands over the side's best levels, the best first.
     *
     * @return how many
     */
    public int copyLevels(Side side, int maxLevels, LevelConsumer consumer) {
        return ladder(side).forEach(maxLevels, consumer);
    }

    /** Hands over a level's known orders, the oldest first; none when there is no such level. */
    public void copyOrders(Side side, long price, OrderConsumer consumer) {
        PriceLevel level = ladder(side).find(price);
        for (Order order = level == null ? null : level.oldest; order != null; order = order.younger) {
            consumer.onOrder(order.id, order.quantity);
        }
    }

    /** Returns what of a level belongs to no known order. */
    public long anonymousQuantity(Side side, long price) {
        PriceLevel level = ladder(side).find(price);
        return level == null ? 0 : level.anonymousQuantity;
    }

    void halted(boolean halted) {
        this.halted = halted;
    }

    LevelLadder ladder(Side side) {
        return side == Side.BUY ? bids : asks;
    }

    @Nullable
    Order find(long orderId) {
        return orders.find(orderId);
    }

    void add(long orderId, Side side, long price, long quantity) {
        Order order = pools.orders.acquire();
        order.id = orderId;
        order.quantity = quantity;
        orders.insert(order);
        ladder(side).findOrAdd(price).append(order);
    }

    void reduce(Order order, long quantity) {
        PriceLevel level = levelOf(order);
        order.quantity -= quantity;
        level.quantity -= quantity;
    }

    void remove(Order order) {
        PriceLevel level = levelOf(order);
        level.unlink(order);
        orders.remove(order);
        order.level = null;
        pools.orders.release(order);
        removeWhenEmpty(level);
    }

    void addAnonymous(Side side, long price, long quantity) {
        ladder(side).findOrAdd(price).addAnonymous(quantity);
    }

    /** Takes out of a level's anonymous liquidity; returns how much was there of the quantity asked for. */
    long takeAnonymous(Side side, long price, long quantity) {
        PriceLevel level = ladder(side).find(price);
        if (level == null) {
            return 0;
        }
        long taken = level.takeAnonymous(quantity);
        removeWhenEmpty(level);
        return taken;
    }

    private static void removeWhenEmpty(PriceLevel level) {
        if (level.orders == 0 && level.anonymousQuantity == 0) {
            requireNonNull(level.ladder).remove(level);
        }
    }

    private static PriceLevel levelOf(Order order) {
        return requireNonNull(order.level);
    }
}
