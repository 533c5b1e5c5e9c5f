package org.naklab.lab.cli;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.naklab.exchange.lobster.BookLevel;
import org.naklab.lab.cli.books.BookState;
import org.naklab.lab.core.Format;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** A book as a ladder: the asks above the bids, the best prices in the middle, and a bar for the shares of each price. */
final class BookDrawing {
    private static final double PRICE_UNITS = 10_000;
    private static final long NS_PER_DAY = 86_400_000_000_000L;
    private static final int BAR_CHARS = 40;

    private BookDrawing() {}

    static void print(Terminal terminal, BookState book) {
        LocalTime time =
                LocalTime.ofNanoOfDay(Math.floorMod(book.timeNs(), NS_PER_DAY)).truncatedTo(ChronoUnit.MILLIS);
        terminal.out().println("the book after " + Format.counted(book.events(), "event") + ", at " + time);
        if (book.asks().isEmpty() && book.bids().isEmpty()) {
            terminal.out().println("  it is empty");
            return;
        }
        int most = Stream.concat(book.asks().stream(), book.bids().stream())
                .mapToInt(BookLevel::quantity)
                .max()
                .orElse(1);
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.RIGHT, Align.LEFT);
        table.head("", "price", "shares", "");
        List<BookLevel> asks = new ArrayList<>(book.asks());
        Collections.reverse(asks);
        asks.forEach(level -> row(terminal, table, level, "ask", "red", most));
        if (!book.asks().isEmpty() && !book.bids().isEmpty()) {
            table.row(
                    "",
                    "spread "
                            + price(book.asks().get(0).price()
                                    - book.bids().get(0).price()));
        }
        book.bids().forEach(level -> row(terminal, table, level, "bid", "green", most));
        table.print();
    }

    private static void row(Terminal terminal, Table table, BookLevel level, String side, String colour, int most) {
        int length = (int) Math.max(1, Math.round((double) BAR_CHARS * level.quantity() / most));
        table.row(
                terminal.plain(terminal.out(), side),
                terminal.plain(terminal.out(), price(level.price())),
                terminal.plain(terminal.out(), Format.count(level.quantity())),
                terminal.markup(terminal.out(), "@|" + colour + " " + "█".repeat(length) + "|@"));
    }

    private static String price(long units) {
        return String.format(Locale.ROOT, "%,.2f", units / PRICE_UNITS);
    }
}
