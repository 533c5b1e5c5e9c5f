package org.naklab.subscriber;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** Random but valid events from a seed. */
public final class TestEvents {
    private static final int INSTRUMENTS = 12;

    private final Random random;
    private final List<OrderEvent> resting = new ArrayList<>();
    private long orderId;

    public TestEvents(long seed) {
        random = new Random(seed);
    }

    /** Makes the next event; it has no sequence. */
    public OrderEvent next() {
        if (resting.size() < 20 || (resting.size() < 2_000 && random.nextInt(100) < 52)) {
            OrderEvent add = new OrderEvent()
                    .set(
                            EventType.ADD,
                            1 + random.nextInt(INSTRUMENTS),
                            0,
                            ++orderId,
                            random.nextBoolean() ? Side.BUY : Side.SELL,
                            0,
                            1 + random.nextInt(900));
            add.price = 1_000_000 + (add.side == Side.BUY ? -100L : 100L) * random.nextInt(40);
            resting.add(new OrderEvent().copyFrom(add));
            return add;
        }
        int index = random.nextInt(resting.size());
        OrderEvent order = resting.get(index);
        OrderEvent event = new OrderEvent().copyFrom(order);
        event.type = switch (random.nextInt(3)) {
            case 0 -> EventType.DELETE;
            case 1 -> EventType.EXECUTE;
            default -> EventType.CANCEL_PART;
        };
        if (event.type != EventType.DELETE && order.quantity > 1) {
            event.quantity = 1 + random.nextInt(order.quantity - 1);
            order.quantity -= event.quantity;
        } else {
            resting.remove(index);
        }
        return event;
    }
}
