package org.naklab.journaler.derived;

import org.naklab.journaler.JournalException;
import org.naklab.messaging.feed.OrderEvent;

/** A format that is derived from the journal. It may be slow: the journal does not wait for it. */
public interface DerivedSink extends AutoCloseable {
    /**
     * Takes in the next event.
     *
     * @param event valid during the call
     * @param receiveTimestampNs nanoseconds since the epoch
     * @param books as they are after the event
     * @throws JournalException when it cannot be written
     */
    void onEvent(OrderEvent event, long receiveTimestampNs, BookView books);

    /** Hands what is buffered to the operating system; called when no more events are waiting. */
    void flush();

    /** Ends the format's files. */
    @Override
    void close();
}
