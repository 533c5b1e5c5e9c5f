package org.naklab.lab.scenarios.inspection;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.JournalEntry;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.JournalReader;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.subscriber.book.BooksDigest;
import org.naklab.subscriber.book.OrderBooks;

/** Makes order books from a journal, independently of the process that wrote it. */
final class JournalBooks {
    private JournalBooks() {}

    /** Returns the digest of the books after the last event; {@code null} if the journal cannot be read to its trailer. */
    static @Nullable Long digest(Path journal) {
        OrderBooks books = new OrderBooks();
        OrderEventCodec codec = new OrderEventCodec();
        OrderEvent event = new OrderEvent();
        JournalEntry entry = new JournalEntry();
        try (JournalReader reader = JournalReader.open(journal)) {
            while (!reader.isTrailerRead() && reader.next(entry)) {
                if (!entry.isTrailer()) {
                    if (!entry.decode(codec, event)) {
                        return null;
                    }
                    books.apply(event);
                }
            }
            return reader.isTrailerRead() ? BooksDigest.of(books) : null;
        } catch (JournalException e) {
            // The verification of the journal says what is wrong with it.
            return null;
        }
    }
}
