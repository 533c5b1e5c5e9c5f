package org.naklab.subscriber.book;

import org.jspecify.annotations.Nullable;

/** Tells what rests at one price: first the liquidity without order ids, then the orders by age. Pooled. */
final class PriceLevel {
    @Nullable
    LevelLadder ladder;

    long price;
    /** All that rests here. */
    long quantity;
    /** The part of {@link #quantity} that belongs to no known order. */
    long anonymousQuantity;

    int orders;

    @Nullable
    Order oldest;

    @Nullable
    Order youngest;

    void append(Order order) {
        order.level = this;
        order.older = youngest;
        order.younger = null;
        if (youngest == null) {
            oldest = order;
        } else {
            youngest.younger = order;
        }
        youngest = order;
        orders++;
        quantity += order.quantity;
    }

    void unlink(Order order) {
        Order older = order.older;
        Order younger = order.younger;
        if (older == null) {
            oldest = younger;
        } else {
            older.younger = younger;
        }
        if (younger == null) {
            youngest = older;
        } else {
            younger.older = older;
        }
        orders--;
        quantity -= order.quantity;
    }

    /** Takes out of the anonymous liquidity what is there of the quantity asked for. */
    long takeAnonymous(long asked) {
        long taken = Math.min(asked, anonymousQuantity);
        anonymousQuantity -= taken;
        quantity -= taken;
        return taken;
    }

    void addAnonymous(long added) {
        anonymousQuantity += added;
        quantity += added;
    }
}
