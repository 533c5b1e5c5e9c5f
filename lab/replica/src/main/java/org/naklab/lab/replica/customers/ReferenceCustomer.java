package org.naklab.lab.replica.customers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.replica.quotes.StaleQuotes;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;
import org.naklab.subscriber.itch.BookState;

/** The customer that reads from the first message on: measures how long its prices are stale, and shows its books. */
final class ReferenceCustomer extends OrderCustomer {
    private static final int LEVELS = 5;

    private final Map<Integer, BookView.Trade> trades = new HashMap<>();
    private final Map<Integer, State> states = new TreeMap<>();
    private @Nullable StaleQuotes quotes;

    private record State(BookView.Validity validity, long since) {}

    ReferenceCustomer(ClientLatency latency) {
        super(latency);
    }

    @Override
    void onLive(OrderEvent event, long dueNs, long nowNs) {
        StaleQuotes measured = quotes;
        if (measured == null) {
            measured = new StaleQuotes(new Interval(latency().countedFromNs(), Long.MAX_VALUE));
            quotes = measured;
        }
        measured.onBooks(books(), event.instrumentId, dueNs, nowNs);
        if (event.type == EventType.EXECUTE || event.type == EventType.HIDDEN_TRADE) {
            trades.put(event.instrumentId, new BookView.Trade(dueNs, event.price, event.quantity));
        }
    }

    @Override
    public void onState(int instrumentId, BookState state, long sequence, long timeNs) {
        BookView.Validity validity =
                switch (state) {
                    case VALID -> BookView.Validity.VALID;
                    case SUSPECT -> BookView.Validity.SUSPECT;
                    case REBUILDING -> BookView.Validity.REBUILDING;
                };
        states.put(instrumentId, new State(validity, sequence));
    }

    /** Returns how long its prices were stale; null if it has read nothing. To be asked once, when it has read everything. */
    @Nullable
    StaleQuotesRecord staleQuotes() {
        return quotes == null ? null : quotes.end();
    }

    /** Returns its books of the instruments with the lowest numbers. */
    List<BookView> views(String server, int instruments, long nowNs) {
        List<BookView> views = new ArrayList<>();
        long ageNs = latency().ageNs(nowNs);
        states.forEach((id, state) -> {
            OrderBook book = books().book(id);
            if (views.size() < instruments && book != null) {
                views.add(new BookView(
                        nowNs,
                        server,
                        id,
                        state.validity(),
                        state.since(),
                        ageNs,
                        levels(book, Side.BUY),
                        levels(book, Side.SELL),
                        trades.get(id)));
            }
        });
        return views;
    }

    private static List<BookView.Level> levels(OrderBook book, Side side) {
        List<BookView.Level> levels = new ArrayList<>(LEVELS);
        int unused = book.copyLevels(
                side, LEVELS, (price, quantity, orders) -> levels.add(new BookView.Level(price, quantity, orders)));
        return levels;
    }
}
