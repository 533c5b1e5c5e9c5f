package org.naklab.subscriber;

import org.agrona.DirectBuffer;

/** Tells where the journal thread puts what it takes off the ring; tests put something slower there. */
interface JournalSink extends AutoCloseable {
    /** As {@link org.naklab.journaler.Journal#append}. */
    void append(long receiveTimestampNs, DirectBuffer message, int offset, int length);

    /** As {@link org.naklab.journaler.Journal#feedId}. */
    void feedId(long feedId);

    /** As {@link org.naklab.journaler.Journal#eventsAppended}. */
    long eventsAppended();

    /** As {@link org.naklab.journaler.Journal#breakUp}. */
    RuntimeException breakUp(Throwable cause);

    /** As {@link org.naklab.journaler.Journal#isForced}. */
    boolean isForced();

    @Override
    void close();
}
