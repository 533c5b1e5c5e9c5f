package org.naklab.exchange;

import java.util.ArrayList;
import java.util.List;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.messaging.feed.OrderEvent;

/** Reads flows for tests. */
public final class Flows {
    private Flows() {}

    /** Every event of the flow as text, which is then closed. */
    public static List<String> drain(OrderFlow flow) {
        try (flow) {
            List<String> events = new ArrayList<>();
            OrderEvent event = new OrderEvent();
            while (flow.next(event)) {
                events.add(event.toString());
            }
            return events;
        }
    }

    /** Reads to the end. */
    public static long count(OrderFlow flow) {
        try (flow) {
            OrderEvent event = new OrderEvent();
            long count = 0;
            while (flow.next(event)) {
                count++;
            }
            return count;
        }
    }
}
