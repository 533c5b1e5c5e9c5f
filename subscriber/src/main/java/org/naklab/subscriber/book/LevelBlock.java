package org.naklab.subscriber.book;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A run of neighbouring price levels, the best last, with their keys beside them for the search. Pooled. */
final class LevelBlock {
    static final int CAPACITY = 64;

    /** Below this many levels a scan from the best beats a binary search. */
    private static final int SCAN = 8;

    final long[] keys = new long[CAPACITY];
    final @Nullable PriceLevel[] levels = new PriceLevel[CAPACITY];
    int size;

    /** Index of the key, or minus one minus the index at which it belongs. */
    int search(long key) {
        int stop = Math.max(0, size - SCAN);
        for (int i = size - 1; i >= stop; i--) {
            if (keys[i] <= key) {
                return keys[i] == key ? i : -(i + 2);
            }
        }
        return Arrays.binarySearch(keys, 0, stop, key);
    }

    void insert(int index, long key, PriceLevel level) {
        System.arraycopy(keys, index, keys, index + 1, size - index);
        System.arraycopy(levels, index, levels, index + 1, size - index);
        keys[index] = key;
        levels[index] = level;
        size++;
    }

    void remove(int index) {
        size--;
        System.arraycopy(keys, index + 1, keys, index, size - index);
        System.arraycopy(levels, index + 1, levels, index, size - index);
        levels[size] = null;
    }

    /** Moves the levels from {@code index} on to the end of another block. */
    void moveTo(LevelBlock other, int index) {
        int moved = size - index;
        System.arraycopy(keys, index, other.keys, other.size, moved);
        System.arraycopy(levels, index, other.levels, other.size, moved);
        Arrays.fill(levels, index, size, null);
        other.size += moved;
        size = index;
    }
}
