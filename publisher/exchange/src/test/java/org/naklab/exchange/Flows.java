package org.naklab.exchange;

import java.util.ArrayList;
import java.util.List;
import org.naklab.messaging.OrderEvent;

/** Reads flows for tests. */
final class Flows {
    private Flows() {}

    /** Every event of the flow as text, which is then closed. */
    static List<String> drain(OrderFlow flow) {
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
    static long count(OrderFlow flow) {
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
