package org.naklab.exchange.itch;

import java.nio.file.Path;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;

/**
 * A day (or the beginning of one) of NASDAQ TotalView-ITCH 5.0 as NASDAQ distributes it: messages with a two-byte
 * big-endian length before each, plain or gzip. Written from the specification "Nasdaq TotalView-ITCH 5.0". The instrument
 * id is the stock locate, the order id the order reference number, prices keep their four implied decimals.
 *
 * <p>All 23 message types are recognised and their lengths checked. To the book matter: A and F (add), E and C (execute, C
 * at its own price), X (cancel in part), D (delete), U (replace: a delete and an add), P and Q (trade that the book does
 * not show, {@link EventType#HIDDEN_TRADE}), H (halt, resume). R fills the {@link #symbols() symbol directory}.
 */
public final class ItchFlow implements OrderFlow {
    /** Some ten times what rests at once on a busy day. */
    private static final int MAX_ORDERS = 1 << 25;

    private final ItchFrames frames;
    private final SymbolDirectory symbols = new SymbolDirectory();
    private final ItchMapper mapper;

    private ItchFlow(ItchFrames frames) {
        this.frames = frames;
        this.mapper = new ItchMapper(
                frames, ItchOrders.within(MAX_ORDERS, Runtime.getRuntime().maxMemory()), symbols);
    }

    /**
     * Opens a file, plain or gzip.
     *
     * @throws OrderFlowException when the file is missing or unreadable
     */
    public static ItchFlow open(Path path) {
        return new ItchFlow(ItchFrames.open(path));
    }

    @Override
    public boolean next(OrderEvent event) {
        if (mapper.takeReplacement(event)) {
            return true;
        }
        while (frames.next()) {
            if (mapper.map(event)) {
                return true;
            }
        }
        return false;
    }

    /** The stocks of the file, as far as it has been read. */
    public SymbolDirectory symbols() {
        return symbols;
    }

    @Override
    public void close() {
        frames.close();
    }
}
