package org.naklab.lab.cli.books;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.OrderFlows;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.itch.ItchFlow;
import org.naklab.lab.core.InputException;
import org.naklab.messaging.feed.OrderEvent;

/** Tells which of a file's instruments is meant. */
public final class InstrumentFilter {
    private static final int UNKNOWN = -1;

    private final OrderFlow flow;
    private final @Nullable String wanted;
    private int instrumentId = UNKNOWN;

    /**
     * A filter of one flow.
     *
     * @param wanted symbol or number; {@code null}: the only one that the file has
     */
    public InstrumentFilter(OrderFlow flow, @Nullable String wanted) {
        this.flow = flow;
        this.wanted = wanted;
    }

    /**
     * Reads a file as far as it takes to find a second instrument.
     *
     * @throws InputException when there is one: which is meant must be named
     */
    public static void requireOnlyOne(Path file) {
        OrderEvent event = new OrderEvent();
        try (OrderFlow flow = OrderFlows.open(file)) {
            int first = UNKNOWN;
            while (flow instanceof ItchFlow itch && flow.next(event)) {
                if (first != UNKNOWN && event.instrumentId != first) {
                    throw new InputException(file + ": contains more than one instrument (" + nameOf(itch, first) + ", "
                            + nameOf(itch, event.instrumentId) + ", ...); select one with --instrument");
                }
                first = event.instrumentId;
            }
        }
    }

    public boolean accepts(OrderEvent event) {
        if (instrumentId == UNKNOWN && matches(event.instrumentId)) {
            instrumentId = event.instrumentId;
        }
        return event.instrumentId == instrumentId;
    }

    /**
     * To be called at the end of the flow.
     *
     * @throws InputException when no event was of the one that was asked for
     */
    public void requireSeen(Path file) {
        if (wanted != null && instrumentId == UNKNOWN) {
            throw new InputException(file + ": contains no event of instrument " + wanted);
        }
    }

    private boolean matches(int id) {
        return wanted == null
                || wanted.equals(String.valueOf(id))
                || (flow instanceof ItchFlow itch
                        && wanted.equalsIgnoreCase(itch.symbols().symbol(id)));
    }

    private static String nameOf(ItchFlow flow, int instrumentId) {
        String symbol = flow.symbols().symbol(instrumentId);
        return symbol == null ? String.valueOf(instrumentId) : symbol;
    }
}
