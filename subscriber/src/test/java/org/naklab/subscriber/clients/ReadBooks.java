package org.naklab.subscriber.clients;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.book.BooksDigest;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.subscriber.itch.BookState;
import org.naklab.subscriber.itch.ItchReader;
import org.naklab.subscriber.itch.Quote;

/** What a client makes of the messages that it reads. */
final class ReadBooks implements ItchReader.Handler {
    final AtomicLong events = new AtomicLong();
    final AtomicLong skipped = new AtomicLong();
    final AtomicLong snapshotEnd = new AtomicLong();
    final Map<Integer, String> states = new ConcurrentHashMap<>();
    final Set<BookState> told = ConcurrentHashMap.newKeySet();
    final Map<Integer, Quote> quotes = new ConcurrentHashMap<>();
    private final OrderBooks books = new OrderBooks();

    @Override
    public synchronized void onEvent(OrderEvent event, long timeNs) {
        books.apply(event);
        events.incrementAndGet();
    }

    @Override
    public void onState(int instrumentId, BookState state, long sequence, long timeNs) {
        told.add(state);
        states.put(instrumentId, state == BookState.VALID ? "valid" : state + " since " + sequence);
    }

    @Override
    public void onQuote(Quote quote, int before) {
        quotes.put(quote.instrumentId(), quote);
        skipped.addAndGet(before);
    }

    @Override
    public void onSnapshotEnd(long nextSequence) {
        snapshotEnd.set(nextSequence);
    }

    synchronized long digest() {
        return BooksDigest.of(books);
    }
}
