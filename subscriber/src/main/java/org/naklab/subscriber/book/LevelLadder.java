package org.naklab.subscriber.book;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.Side;

/**
 * The price levels of one side in order of price: an array of blocks of at most {@link LevelBlock#CAPACITY} levels, the best
 * level last in the last block.
 *
 * <pre>
 *   blocks   [0] worst … | [1] … | [n-1] … best
 * </pre>
 *
 * Most changes happen near the best price, where next to nothing moves; a change far from it moves one block's levels, and
 * seldom the array of blocks, so that the cost stays small in books of thousands of levels.
 */
final class LevelLadder {
    private static final int MERGE_BELOW = LevelBlock.CAPACITY / 2;

    final Side side;
    private final Pools pools;
    private @Nullable LevelBlock[] blocks = new LevelBlock[4];
    private int blockCount;
    private int levelCount;

    LevelLadder(Side side, Pools pools) {
        this.side = side;
        this.pools = pools;
    }

    int size() {
        return levelCount;
    }

    @Nullable
    PriceLevel best() {
        if (levelCount == 0) {
            return null;
        }
        LevelBlock last = block(blockCount - 1);
        return last.levels[last.size - 1];
    }

    @Nullable
    PriceLevel find(long price) {
        if (levelCount == 0) {
            return null;
        }
        long key = key(price);
        LevelBlock block = block(blockFor(key));
        int index = block.search(key);
        return index < 0 ? null : block.levels[index];
    }

    PriceLevel findOrAdd(long price) {
        long key = key(price);
        if (levelCount == 0) {
            addBlock(0);
        }
        int blockIndex = blockFor(key);
        LevelBlock block = block(blockIndex);
        int index = block.search(key);
        if (index >= 0) {
            return level(block, index);
        }
        return add(blockIndex, -(index + 1), key, price);
    }

    void remove(PriceLevel level) {
        long key = key(level.price);
        int blockIndex = blockFor(key);
        LevelBlock block = block(blockIndex);
        int index = block.search(key);
        if (index < 0 || block.levels[index] != level) {
            throw new IllegalStateException("level " + side + " " + level.price + " is not on its ladder");
        }
        block.remove(index);
        levelCount--;
        pools.levels.release(level);
        if (block.size < MERGE_BELOW) {
            shrink(blockIndex);
        }
    }

    /** Hands over the best levels; returns how many. */
    int forEach(int maxLevels, LevelConsumer consumer) {
        int done = 0;
        for (int b = blockCount - 1; b >= 0 && done < maxLevels; b--) {
            LevelBlock block = block(b);
            for (int i = block.size - 1; i >= 0 && done < maxLevels; i--, done++) {
                PriceLevel level = level(block, i);
                consumer.onLevel(level.price, level.quantity, level.orders);
            }
        }
        return done;
    }

    private PriceLevel add(int blockIndex, int index, long key, long price) {
        LevelBlock block = block(blockIndex);
        if (block.size == LevelBlock.CAPACITY) {
            int half = LevelBlock.CAPACITY / 2;
            LevelBlock better = addBlock(blockIndex + 1);
            block.moveTo(better, half);
            return index <= half ? insert(block, index, key, price) : insert(better, index - half, key, price);
        }
        return insert(block, index, key, price);
    }

    private PriceLevel insert(LevelBlock block, int index, long key, long price) {
        PriceLevel level = pools.levels.acquire();
        level.ladder = this;
        level.price = price;
        block.insert(index, key, level);
        levelCount++;
        return level;
    }

    /** Larger is better. The complement reverses the order of all longs; a minus would overflow at the smallest. */
    private long key(long price) {
        return side == Side.BUY ? price : ~price;
    }

    /** The best block whose first key is not better than the key, or the worst block. */
    private int blockFor(long key) {
        int low = 0;
        int high = blockCount - 1;
        if (high == 0 || block(high).keys[0] <= key) {
            return high;
        }
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (block(middle).keys[0] <= key) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private LevelBlock addBlock(int index) {
        if (blockCount == blocks.length) {
            blocks = Arrays.copyOf(blocks, blockCount * 2);
        }
        System.arraycopy(blocks, index, blocks, index + 1, blockCount - index);
        LevelBlock block = pools.blocks.acquire();
        blocks[index] = block;
        blockCount++;
        return block;
    }

    private void shrink(int index) {
        LevelBlock block = block(index);
        if (index > 0 && block(index - 1).size + block.size <= MERGE_BELOW) {
            block.moveTo(block(index - 1), 0);
        }
        if (block.size == 0) {
            blockCount--;
            System.arraycopy(blocks, index + 1, blocks, index, blockCount - index);
            blocks[blockCount] = null;
            pools.blocks.release(block);
        }
    }

    private LevelBlock block(int index) {
        return requireNonNull(blocks[index]);
    }

    private static PriceLevel level(LevelBlock block, int index) {
        return requireNonNull(block.levels[index]);
    }
}
