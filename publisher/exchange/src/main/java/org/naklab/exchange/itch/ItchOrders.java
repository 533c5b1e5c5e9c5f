package org.naklab.exchange.itch;

import java.util.Arrays;
import org.agrona.collections.Long2LongHashMap;
import org.naklab.messaging.feed.Side;

/**
 * The orders that rest, so that messages which give only a reference number can be filled in. One column of primitives a
 * field; a slot freed is used again; grows by doubling up to a bound and allocates nothing otherwise.
 */
final class ItchOrders {
    /** No such order, and no next free slot. */
    static final int NONE = -1;

    private static final int INITIAL_SLOTS = 1 << 12;
    private static final float LOAD_FACTOR = 0.6f;
    /** The columns and the map, both of them with their copies while they double. */
    private static final int MAX_BYTES_PER_ORDER = 128;

    private final Long2LongHashMap slotByOrderId = new Long2LongHashMap(INITIAL_SLOTS, LOAD_FACTOR, NONE);
    private final int maxOrders;
    private long[] prices = new long[INITIAL_SLOTS];
    private int[] quantities = new int[INITIAL_SLOTS];
    private int[] instrumentIds = new int[INITIAL_SLOTS];
    private Side[] sides = new Side[INITIAL_SLOTS];
    private int[] nextFree = new int[INITIAL_SLOTS];
    private int firstFree = NONE;
    private int slotsUsed;

    ItchOrders(int maxOrders) {
        this.maxOrders = maxOrders;
    }

    /** At most the given number of orders, and no more than fit into half of a heap while it grows. */
    static ItchOrders within(int maxOrders, long heapBytes) {
        return new ItchOrders((int) Math.min(maxOrders, heapBytes / 2 / MAX_BYTES_PER_ORDER));
    }

    int size() {
        return slotByOrderId.size();
    }

    boolean isFull() {
        return slotByOrderId.size() >= maxOrders;
    }

    /** The slot of an order, or {@link #NONE}. */
    int find(long orderId) {
        return (int) slotByOrderId.get(orderId);
    }

    /** Adds an order that does not rest yet, while not {@link #isFull() full}. */
    void add(long orderId, int instrumentId, Side side, long price, int quantity) {
        int slot = takeSlot();
        prices[slot] = price;
        quantities[slot] = quantity;
        instrumentIds[slot] = instrumentId;
        sides[slot] = side;
        slotByOrderId.put(orderId, slot);
    }

    void remove(long orderId, int slot) {
        slotByOrderId.remove(orderId);
        nextFree[slot] = firstFree;
        firstFree = slot;
    }

    void reduce(int slot, int quantity) {
        quantities[slot] -= quantity;
    }

    long price(int slot) {
        return prices[slot];
    }

    int quantity(int slot) {
        return quantities[slot];
    }

    int instrumentId(int slot) {
        return instrumentIds[slot];
    }

    Side side(int slot) {
        return sides[slot];
    }

    private int takeSlot() {
        if (firstFree != NONE) {
            int slot = firstFree;
            firstFree = nextFree[slot];
            return slot;
        }
        if (slotsUsed == prices.length) {
            grow(prices.length * 2);
        }
        return slotsUsed++;
    }

    private void grow(int slots) {
        prices = Arrays.copyOf(prices, slots);
        quantities = Arrays.copyOf(quantities, slots);
        instrumentIds = Arrays.copyOf(instrumentIds, slots);
        sides = Arrays.copyOf(sides, slots);
        nextFree = Arrays.copyOf(nextFree, slots);
    }
}
