package org.naklab.subscriber.book;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** The rules in the plainest words: a sorted map of queues, searched from end to end. */
final class ReferenceBook {
    private final Map<Side, TreeMap<Long, List<Resting>>> sides = new HashMap<>();
    private boolean halted;

    ReferenceBook() {
        sides.put(Side.BUY, new TreeMap<>(Comparator.reverseOrder()));
        sides.put(Side.SELL, new TreeMap<>());
    }

    void seed(Side side, long price, long quantity) {
        List<Resting> queue = side(side).computeIfAbsent(price, p -> new ArrayList<>());
        if (queue.isEmpty() || !queue.get(0).anonymous) {
            queue.add(0, new Resting(0, true));
        }
        queue.get(0).quantity += quantity;
    }

    void apply(OrderEvent event) {
        switch (event.type) {
            case ADD -> {
                if (event.quantity > 0 && find(event.orderId) == null) {
                    Resting order = new Resting(event.orderId, false);
                    order.quantity = event.quantity;
                    side(event.side)
                            .computeIfAbsent(event.price, p -> new ArrayList<>())
                            .add(order);
                }
            }
            case CANCEL_PART, EXECUTE -> take(event, event.quantity);
            case DELETE -> take(event, Long.MAX_VALUE);
            case HALT -> halted = true;
            case RESUME -> halted = false;
            case HIDDEN_TRADE -> {}
        }
    }

    List<String> levels(Side side) {
        return side(side).entrySet().stream()
                .map(level -> level.getKey() + " x "
                        + level.getValue().stream().mapToLong(o -> o.quantity).sum() + " of "
                        + level.getValue().stream().filter(o -> !o.anonymous).count())
                .toList();
    }

    List<String> queue(Side side, long price) {
        return side(side).getOrDefault(price, List.of()).stream()
                .filter(o -> !o.anonymous)
                .map(o -> o.id + " x " + o.quantity)
                .toList();
    }

    List<Long> prices(Side side) {
        return List.copyOf(side(side).keySet());
    }

    boolean halted() {
        return halted;
    }

    private void take(OrderEvent event, long quantity) {
        Resting order = find(event.orderId);
        if (order == null) {
            order = side(event.side).getOrDefault(event.price, List.of()).stream()
                    .filter(o -> o.anonymous)
                    .findFirst()
                    .orElse(null);
            quantity = event.quantity;
        }
        if (order != null) {
            order.quantity -= Math.min(order.quantity, Math.max(0, quantity));
            sides.values().forEach(side -> {
                side.values().forEach(queue -> queue.removeIf(o -> o.quantity == 0));
                side.values().removeIf(List::isEmpty);
            });
        }
    }

    private @Nullable Resting find(long id) {
        return sides.values().stream()
                .flatMap(side -> side.values().stream())
                .flatMap(List::stream)
                .filter(o -> !o.anonymous && o.id == id)
                .findFirst()
                .orElse(null);
    }

    private Map<Long, List<Resting>> side(Side side) {
        return java.util.Objects.requireNonNull(sides.get(side));
    }

    private static final class Resting {
        final long id;
        final boolean anonymous;
        long quantity;

        Resting(long id, boolean anonymous) {
            this.id = id;
            this.anonymous = anonymous;
        }
    }
}
