package org.naklab.subscriber.book;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.messaging.Side;

/** One side's liquidity that waits for its price to be out of sight, the farthest from the market first. */
final class HiddenLevels {
    private final TreeMap<Long, Long> quantities;
    private final Comparator<Long> farthestFirst;

    HiddenLevels(Side side) {
        farthestFirst = side == Side.BUY ? Comparator.naturalOrder() : Comparator.reverseOrder();
        quantities = new TreeMap<>(farthestFirst);
    }

    void add(long price, long quantity) {
        quantities.merge(price, quantity, Long::sum);
    }

    /** Hands over and forgets all that is farther from the market than a price. */
    void takeBeyond(long price, Taker taker) {
        while (!quantities.isEmpty() && farthestFirst.compare(quantities.firstKey(), price) < 0) {
            Map.Entry<Long, Long> farthest = quantities.pollFirstEntry();
            taker.take(farthest.getKey(), farthest.getValue());
        }
    }

    @FunctionalInterface
    interface Taker {
        void take(long price, long quantity);
    }
}
