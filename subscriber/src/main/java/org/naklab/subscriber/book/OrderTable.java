package org.naklab.subscriber.book;

import org.jspecify.annotations.Nullable;

/**
 * The resting orders of one book by id: a hash table whose chains run through the orders themselves, so that a look-up reads
 * one bucket and the order, and an insertion or a removal moves nothing else.
 *
 * <p>Exchanges number orders upwards and most orders live briefly. Sixteen consecutive ids therefore share one cache line of
 * buckets; which line is a multiplicative hash of the rest of the id, so that no stride of ids makes long chains.
 */
final class OrderTable {
    private static final int MIN_BITS = 6;
    private static final int MAX_BITS = 30;
    private static final int LINE_BITS = 4;
    private static final long LINE_MASK = (1L << LINE_BITS) - 1;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private @Nullable Order[] buckets = new Order[1 << MIN_BITS];
    private int bits = MIN_BITS;
    private int size;

    @Nullable
    Order find(long id) {
        Order order = buckets[bucket(id)];
        while (order != null && order.id != id) {
            order = order.chained;
        }
        return order;
    }

    /** Adds an order whose id is not in the table. */
    void insert(Order order) {
        if (size >= buckets.length && bits < MAX_BITS) {
            grow();
        }
        link(order);
        size++;
    }

    void remove(Order order) {
        int bucket = bucket(order.id);
        Order at = buckets[bucket];
        if (at == order) {
            buckets[bucket] = order.chained;
        } else {
            while (at != null && at.chained != order) {
                at = at.chained;
            }
            if (at == null) {
                throw new IllegalStateException("order " + order.id + " rests but is not in the table");
            }
            at.chained = order.chained;
        }
        order.chained = null;
        size--;
    }

    int size() {
        return size;
    }

    private int bucket(long id) {
        long scattered = (id >>> LINE_BITS) * GOLDEN_RATIO;
        return (int) ((scattered >>> (Long.SIZE - bits)) ^ (id & LINE_MASK));
    }

    private void link(Order order) {
        int bucket = bucket(order.id);
        order.chained = buckets[bucket];
        buckets[bucket] = order;
    }

    private void grow() {
        @Nullable Order[] old = buckets;
        bits++;
        buckets = new Order[1 << bits];
        for (Order first : old) {
            for (Order order = first; order != null; ) {
                Order next = order.chained;
                link(order);
                order = next;
            }
        }
    }
}
