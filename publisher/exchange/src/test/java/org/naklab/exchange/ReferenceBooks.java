package org.naklab.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** Books as plainly as they can be written; they fail when an event touches what it must not. */
public final class ReferenceBooks {
    private record Order(Side side, long price, int quantity) {}

    private final Map<Integer, Map<Long, Order>> books = new HashMap<>();
    private final Set<Integer> halted = new HashSet<>();
    private int mostResting;

    public void apply(OrderEvent event) {
        Map<Long, Order> book = books.computeIfAbsent(event.instrumentId, id -> new LinkedHashMap<>());
        String what = event.toString();
        switch (event.type) {
            case ADD -> {
                assertThat(event.quantity).as(what).isPositive();
                assertThat(event.price).as(what).isPositive();
                assertThat(book.put(event.orderId, new Order(event.side, event.price, event.quantity)))
                        .as(what)
                        .isNull();
                assertNotCrossed(book, event);
            }
            case CANCEL_PART, DELETE, EXECUTE -> reduce(book, event);
            case HIDDEN_TRADE -> {
                assertThat(halted).as(what).doesNotContain(event.instrumentId);
                assertThat(event.quantity).as(what).isPositive();
                assertThat(event.price).as(what).isPositive();
            }
            case HALT -> assertThat(halted.add(event.instrumentId)).as(what).isTrue();
            case RESUME ->
                assertThat(halted.remove(event.instrumentId)).as(what).isTrue();
        }
        mostResting = Math.max(mostResting, book.size());
    }

    public int mostResting() {
        return mostResting;
    }

    private void reduce(Map<Long, Order> book, OrderEvent event) {
        String what = event.toString();
        Order order = book.get(event.orderId);
        assertThat(order).as(what).isNotNull();
        if (order == null) {
            return;
        }
        assertThat(event.side).as(what).isEqualTo(order.side());
        assertThat(event.price).as(what).isEqualTo(order.price());
        assertThat(event.quantity).as(what).isBetween(1, order.quantity());
        if (event.type == EventType.EXECUTE) {
            assertThat(halted).as(what).doesNotContain(event.instrumentId);
            assertThat(event.orderId).as(what + " has priority").isEqualTo(best(book, event.side));
        }
        int rest = order.quantity() - event.quantity;
        if (event.type == EventType.DELETE) {
            assertThat(rest).as(what).isZero();
        }
        if (event.type == EventType.CANCEL_PART) {
            assertThat(rest).as(what).isPositive();
        }
        if (rest == 0) {
            book.remove(event.orderId);
        } else {
            book.replace(event.orderId, new Order(order.side(), order.price(), rest));
        }
    }

    /** By price, then by age, which is the map's order. */
    private static long best(Map<Long, Order> book, Side side) {
        long bestId = 0;
        long bestPrice = side == Side.BUY ? Long.MIN_VALUE : Long.MAX_VALUE;
        for (Map.Entry<Long, Order> entry : book.entrySet()) {
            long price = entry.getValue().price();
            boolean isBetter = side == Side.BUY ? price > bestPrice : price < bestPrice;
            if (entry.getValue().side() == side && isBetter) {
                bestId = entry.getKey();
                bestPrice = price;
            }
        }
        return bestId;
    }

    private static void assertNotCrossed(Map<Long, Order> book, OrderEvent event) {
        for (Order order : book.values()) {
            if (order.side() != event.side) {
                long bid = event.side == Side.BUY ? event.price : order.price();
                long ask = event.side == Side.BUY ? order.price() : event.price;
                assertThat(bid).as(event.toString()).isLessThan(ask);
            }
        }
    }
}
