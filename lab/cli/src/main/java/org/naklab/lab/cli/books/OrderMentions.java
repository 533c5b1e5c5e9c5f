package org.naklab.lab.cli.books;

import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Long2LongHashMap;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/**
 * Up to where a file speaks of an order, and of what rests at a price without being known by order. What is not mentioned any
 * more while nobody could see it go is taken to have gone.
 */
final class OrderMentions {
    private static final long NEVER = -1;

    /** Liquidity of unknown orders at a price. */
    private record Place(Side side, long price) {}

    private final Long2LongHashMap lastEventByOrder = new Long2LongHashMap(NEVER);
    private final Map<Place, Long> takenLater = new HashMap<>();

    /** Notes an event of the file that is read ahead. */
    void note(OrderEvent event, long eventIndex) {
        lastEventByOrder.put(event.orderId, eventIndex);
    }

    /** Notes that an unknown order is going to take from that place. */
    void noteTaken(OrderEvent event) {
        takenLater.merge(new Place(event.side, event.price), (long) event.quantity, Long::sum);
    }

    /** An event about an unknown order has been applied. */
    void taken(OrderEvent event) {
        takenLater.computeIfPresent(
                new Place(event.side, event.price), (place, left) -> Math.max(0, left - event.quantity));
    }

    boolean isMentionedAfter(long orderId, long eventIndex) {
        return lastEventByOrder.get(orderId) > eventIndex;
    }

    /** Returns what unknown orders are going to take there. */
    long takenLater(Side side, long price) {
        return takenLater.getOrDefault(new Place(side, price), 0L);
    }
}
