package org.naklab.subscriber;

import org.agrona.DirectBuffer;
import org.naklab.journaler.Journal;

/** The system of record as the journal thread sees it. */
final class JournalFile implements JournalSink {
    private final Journal journal;
    private final Runnable beforeAppend;

    JournalFile(Journal journal, Runnable beforeAppend) {
        this.journal = journal;
        this.beforeAppend = beforeAppend;
    }

    @Override
    public void append(long receiveTimestampNs, DirectBuffer message, int offset, int length) {
        beforeAppend.run();
        journal.append(receiveTimestampNs, message, offset, length);
    }

    @Override
    public void feedId(long feedId) {
        journal.feedId(feedId);
    }

    @Override
    public long eventsAppended() {
        return journal.eventsAppended();
    }

    @Override
    public RuntimeException breakUp(Throwable cause) {
        return journal.breakUp(cause);
    }

    @Override
    public boolean isForced() {
        return journal.isForced();
    }

    @Override
    public void close() {
        journal.close();
    }
}
