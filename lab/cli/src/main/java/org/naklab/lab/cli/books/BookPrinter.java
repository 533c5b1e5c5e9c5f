package org.naklab.lab.cli.books;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.OrderFlows;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.lobster.BookLevel;
import org.naklab.exchange.lobster.LobsterBook;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;

/**
 * Prints the book after each event of a source file.
 *
 * @param initialBook LOBSTER order book whose first row, the book after the first event, seeds the book
 * @param instrument symbol or number; {@code null}: the only one that the file has
 */
public record BookPrinter(
        Path file, @Nullable Path initialBook, @Nullable String instrument, int levels) {
    /**
     * Reads the file (twice when it may be silent about something) and writes a row for each event.
     *
     * @throws org.naklab.exchange.flow.OrderFlowException bad input; the rows before it are out
     * @throws org.naklab.lab.core.LabException when the instrument is not told, or not there
     */
    public void print(OutputStream out) throws IOException {
        List<BookLevel> initial = initialBook == null ? List.of() : LobsterBook.readRow(initialBook, 1);
        if (instrument == null) {
            InstrumentFilter.requireOnlyOne(file);
        }
        BookReplay replay = new BookReplay(initial, lookAhead(initial));
        try (OrderFlow flow = OrderFlows.open(file)) {
            print(flow, replay, new BookRows(out, levels));
        }
    }

    /**
     * Reads the file as far as an event, and returns the book after it: the asks and then the bids, each with the best price first.
     *
     * @param lastEvent from 1; of a file with fewer events, the book after its last one
     * @throws org.naklab.exchange.flow.OrderFlowException bad input
     * @throws org.naklab.lab.core.LabException when the instrument is not told, or not there
     */
    public BookState after(long lastEvent) {
        List<BookLevel> initial = initialBook == null ? List.of() : LobsterBook.readRow(initialBook, 1);
        if (instrument == null) {
            InstrumentFilter.requireOnlyOne(file);
        }
        BookReplay replay = new BookReplay(initial, lookAhead(initial));
        OrderEvent event = new OrderEvent();
        OrderEvent last = new OrderEvent();
        try (OrderFlow flow = OrderFlows.open(file)) {
            InstrumentFilter filter = new InstrumentFilter(flow, instrument);
            while (replay.events() < lastEvent && flow.next(event)) {
                if (filter.accepts(event)) {
                    replay.apply(event);
                    last.exchangeTimestampNs = event.exchangeTimestampNs;
                    last.instrumentId = event.instrumentId;
                }
            }
            filter.requireSeen(file);
        }
        return new BookState(
                replay.events(),
                last.exchangeTimestampNs,
                levels(replay.book(last.instrumentId), Side.SELL),
                levels(replay.book(last.instrumentId), Side.BUY));
    }

    private List<BookLevel> levels(@Nullable OrderBook book, Side side) {
        List<BookLevel> copied = new ArrayList<>();
        if (book != null) {
            book.copyLevels(
                    side,
                    levels,
                    (price, quantity, orders) -> copied.add(new BookLevel(side, price, Math.toIntExact(quantity))));
        }
        return copied;
    }

    private @Nullable LookAhead lookAhead(List<BookLevel> initial) {
        if (initial.isEmpty()) {
            return null;
        }
        try (OrderFlow flow = OrderFlows.open(file)) {
            return LookAhead.read(flow, new InstrumentFilter(flow, instrument), initial);
        }
    }

    private void print(OrderFlow flow, BookReplay replay, BookRows rows) throws IOException {
        InstrumentFilter filter = new InstrumentFilter(flow, instrument);
        OrderEvent event = new OrderEvent();
        try {
            while (flow.next(event)) {
                if (filter.accepts(event)) {
                    replay.apply(event);
                    rows.write(replay.book(event.instrumentId));
                }
            }
        } finally {
            rows.flush();
        }
        filter.requireSeen(file);
    }
}
