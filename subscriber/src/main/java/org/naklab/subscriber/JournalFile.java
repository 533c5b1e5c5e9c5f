package org.naklab.subscriber;

import org.agrona.DirectBuffer;
import org.naklab.journaler.Journal;

/** The system of record as the journal thread sees it. */
final class JournalFile implements JournalSink {
    private final Journal journal;

    JournalFile(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void append(long receiveTimestampNs, DirectBuffer message, int offset, int length) {
        journal.append(receiveTimestampNs, message, offset, length);
    }

    @Override
    public void close() {
        journal.close();
    }
}
