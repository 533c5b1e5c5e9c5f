package org.naklab.journaler.derived;

import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.naklab.journaler.JournalEntry;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.JournalReader;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;

/** Hands a journal's events, decoded and applied to the books, to the sinks; the live agent and the exporter share it. */
final class DerivedFeed implements AutoCloseable {
    private final OrderEventCodec codec = new OrderEventCodec();
    private final OrderEvent event = new OrderEvent();
    private final JournalEntry entry = new JournalEntry();
    private final JournalReader reader;
    private final BookView books;
    private final List<DerivedSink> sinks;

    DerivedFeed(JournalReader reader, BookView books, List<? extends DerivedSink> sinks) {
        this.reader = reader;
        this.books = books;
        this.sinks = List.copyOf(sinks);
    }

    /**
     * Handles up to so many records, fewer when no more are there.
     *
     * @return the records handled
     */
    int poll(int limit) {
        int records = 0;
        while (records < limit && reader.next(entry)) {
            records++;
            if (!entry.isTrailer()) {
                handle();
            }
        }
        return records;
    }

    void flush() {
        for (DerivedSink sink : sinks) {
            sink.flush();
        }
    }

    JournalReader reader() {
        return reader;
    }

    /** Closes the sinks, all of them even when one fails, and the reader. */
    @Override
    public void close() {
        List<AutoCloseable> closeables = new ArrayList<>(sinks);
        closeables.add(reader);
        CloseHelper.closeAll(closeables);
    }

    private void handle() {
        if (!entry.decode(codec, event)) {
            throw new JournalException("event " + entry.sequence() + " of the journal cannot be decoded");
        }
        books.apply(event);
        for (DerivedSink sink : sinks) {
            sink.onEvent(event, entry.receiveTimestampNs(), books);
        }
    }
}
