package org.naklab.exchange.flow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.naklab.messaging.feed.OrderEvent;

/** Whatever a source file holds, it ends in events or in an {@link OrderFlowException} of one line. */
public final class FuzzedSource {
    private static final int MAX_MESSAGE_CHARS = 500;

    private FuzzedSource() {}

    public static void drain(Path file, byte[] content, Function<Path, OrderFlow> open) throws IOException {
        Files.write(file, content);
        OrderEvent event = new OrderEvent();
        try (OrderFlow flow = open.apply(file)) {
            while (flow.next(event)) {
                if (event.quantity < 0 || event.price < 0) {
                    throw new AssertionError("an event of a negative quantity or price: " + event);
                }
            }
        } catch (OrderFlowException e) {
            requireOneLine(e);
        }
    }

    public static void requireOneLine(OrderFlowException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.length() > MAX_MESSAGE_CHARS || message.lines().count() != 1) {
            throw new AssertionError("not one short line: " + message, failure);
        }
    }
}
