package org.naklab.subscriber.book;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.naklab.messaging.OrderEvent;
import org.naklab.messaging.Side;

/**
 * Orders that leave a recording without having come in it. Those that the initial levels can account for rested from the
 * start; the others must have come while their price was beyond the recorded levels.
 */
final class UnseenOrders {
    private final Map<LevelKey, Long> seeded = new HashMap<>();
    private final Map<SideKey, Integer> seededLevels = new HashMap<>();
    private final Set<OrderKey> seen = new HashSet<>();
    private final Map<OrderKey, Departure> departures = new LinkedHashMap<>();
    private final Map<SideKey, HiddenLevels> hidden = new HashMap<>();
    private int recordedLevels;
    private boolean begun;

    void seed(int instrumentId, Side side, long price, long quantity) {
        seeded.merge(new LevelKey(instrumentId, side, price), quantity, Long::sum);
        recordedLevels = Math.max(recordedLevels, seededLevels.merge(new SideKey(instrumentId, side), 1, Integer::sum));
    }

    void scout(OrderEvent event) {
        boolean first = !begun;
        begun = true;
        OrderKey order = new OrderKey(event.instrumentId, event.orderId);
        switch (event.type) {
            case ADD -> {
                seen.add(order);
                if (first) {
                    seeded.merge(levelOf(event), -(long) event.quantity, Long::sum);
                }
            }
            case CANCEL_PART, DELETE, EXECUTE -> {
                // What the first event took is not in the initial levels any more.
                if (!first && !seen.contains(order)) {
                    departures.computeIfAbsent(order, o -> new Departure(levelOf(event))).quantity +=
                            Math.max(0, event.quantity);
                }
            }
            case HIDDEN_TRADE, HALT, RESUME -> {
                // No order of the book.
            }
        }
    }

    /** Tells apart which departures the initial levels account for. */
    void endScouting() {
        for (Departure departure : departures.values()) {
            long left = seeded.getOrDefault(departure.level, 0L);
            if (departure.quantity <= left) {
                seeded.put(departure.level, left - departure.quantity);
            } else {
                hidden.computeIfAbsent(departure.level.sideKey(), key -> new HiddenLevels(key.side()))
                        .add(departure.level.price(), departure.quantity);
            }
        }
        seen.clear();
        departures.clear();
        seeded.clear();
    }

    /** Puts in place the orders whose price is beyond the recorded levels now. */
    void placeHidden(OrderBooks books, int instrumentId) {
        placeHidden(books, instrumentId, Side.BUY);
        placeHidden(books, instrumentId, Side.SELL);
    }

    private void placeHidden(OrderBooks books, int instrumentId, Side side) {
        HiddenLevels levels = hidden.get(new SideKey(instrumentId, side));
        OrderBook book = books.book(instrumentId);
        if (levels == null || book == null || recordedLevels == 0) {
            return;
        }
        PriceLevel lastInSight = book.ladder(side).nth(recordedLevels - 1);
        if (lastInSight != null) {
            levels.takeBeyond(lastInSight.price, (price, quantity) -> books.seed(instrumentId, side, price, quantity));
        }
    }

    private static LevelKey levelOf(OrderEvent event) {
        return new LevelKey(event.instrumentId, event.side, event.price);
    }

    private record SideKey(int instrumentId, Side side) {}

    private record LevelKey(int instrumentId, Side side, long price) {
        SideKey sideKey() {
            return new SideKey(instrumentId, side);
        }
    }

    private record OrderKey(int instrumentId, long orderId) {}

    private static final class Departure {
        final LevelKey level;
        long quantity;

        Departure(LevelKey level) {
            this.level = level;
        }
    }
}
