package org.naklab.lab.cli.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.OrderFlows;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.InputException;
import org.naklab.lab.terminal.Terminal;
import org.naklab.messaging.feed.OrderEvent;

/** Reads a source to its end before anything is started: a bad row in its middle would cost a whole run. */
final class SourceCheck {
    private SourceCheck() {}

    /** @throws org.naklab.exchange.flow.OrderFlowException naming the row or offset of what is bad */
    static void check(@Nullable Path source, Terminal terminal) {
        if (source == null) {
            return;
        }
        long events = 0;
        OrderEvent event = new OrderEvent();
        try (OrderFlow flow = OrderFlows.open(source)) {
            while (flow.next(event)) {
                events++;
            }
        }
        if (events == 0) {
            throw new InputException(source + ": contains no order event");
        }
        terminal.err().println("naklab: " + source + ": " + Format.count(events) + " events, all well-formed");
    }
}
