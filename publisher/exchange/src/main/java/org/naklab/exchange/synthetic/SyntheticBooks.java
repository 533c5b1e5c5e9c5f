package org.naklab.exchange.synthetic;

/**
 * Tells what rests at the synthetic exchange: for each instrument and side a short list, ordered by priority, in three flat
 * columns. The last order of a list is the best: highest merit, and of equal merit the oldest.
 *
 * <p>A price's merit is the price itself, in ticks, for a bid and its negative for an ask.
 */
final class SyntheticBooks {
    static final int BID = 0;
    static final int ASK = 1;

    private final int capacity;
    private final long[] orderIds;
    private final int[] merits;
    private final int[] quantities;
    private final int[] counts;

    /**
     * Creates empty books.
     *
     * @param capacity orders that fit into one side of one instrument
     */
    SyntheticBooks(int instruments, int capacity) {
        int slots = Math.multiplyExact(Math.multiplyExact(instruments, 2), capacity);
        this.capacity = capacity;
        orderIds = new long[slots];
        merits = new int[slots];
        quantities = new int[slots];
        counts = new int[2 * instruments];
    }

    static int merit(int side, int ticks) {
        return side == BID ? ticks : -ticks;
    }

    int count(int instrument, int side) {
        return counts[2 * instrument + side];
    }

    boolean isFull(int instrument, int side) {
        return count(instrument, side) == capacity;
    }

    /** Slot of the order with the given rank, 0 being the worst, count - 1 the best. */
    int slot(int instrument, int side, int rank) {
        return (2 * instrument + side) * capacity + rank;
    }

    int bestSlot(int instrument, int side) {
        return slot(instrument, side, count(instrument, side) - 1);
    }

    long orderId(int slot) {
        return orderIds[slot];
    }

    int ticks(int side, int slot) {
        return merit(side, merits[slot]);
    }

    int quantity(int slot) {
        return quantities[slot];
    }

    void reduce(int slot, int quantity) {
        quantities[slot] -= quantity;
    }

    /** Queues an order behind those of its merit; the side must not be full. */
    void add(int instrument, int side, long orderId, int ticks, int quantity) {
        int merit = merit(side, ticks);
        int first = slot(instrument, side, 0);
        int end = first + counts[2 * instrument + side]++;
        int slot = end;
        while (slot > first && merits[slot - 1] >= merit) {
            slot--;
        }
        shift(slot, slot + 1, end - slot);
        orderIds[slot] = orderId;
        merits[slot] = merit;
        quantities[slot] = quantity;
    }

    void remove(int instrument, int side, int slot) {
        int end = slot(instrument, side, 0) + counts[2 * instrument + side]--;
        shift(slot + 1, slot, end - slot - 1);
    }

    private void shift(int from, int to, int length) {
        if (length > 0) {
            System.arraycopy(orderIds, from, orderIds, to, length);
            System.arraycopy(merits, from, merits, to, length);
            System.arraycopy(quantities, from, quantities, to, length);
        }
    }
}
