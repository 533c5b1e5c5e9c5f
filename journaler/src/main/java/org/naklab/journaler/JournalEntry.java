package org.naklab.journaler;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One record of a journal, a copy of it, reused from record to record so that reading allocates nothing. */
public final class JournalEntry {
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[EntryLayout.MAX_BYTES]);
    private long receiveTimestampNs;
    private int length;
    private FeedMessage.Kind kind = FeedMessage.Kind.OTHER;

    /** When the message was received, in nanoseconds since the epoch. */
    public long receiveTimestampNs() {
        return receiveTimestampNs;
    }

    /** The message from index 0 on, header included; on the heap. */
    public DirectBuffer message() {
        return message;
    }

    /** The message's bytes, header included. */
    public int length() {
        return length;
    }

    /** Whether the record is the trailer and not an event. */
    public boolean isTrailer() {
        return kind == FeedMessage.Kind.TRAILER;
    }

    /** The event's sequence; of the trailer the feed's last. */
    public long sequence() {
        return FeedMessage.sequence(message, 0);
    }

    /** The feed's digest as the trailer gives it. */
    public long trailerDigest() {
        return FeedMessage.trailerDigest(message, 0);
    }

    FeedMessage.Kind kind() {
        return kind;
    }

    /** Copies an excerpt; one that no journal writes becomes {@link FeedMessage.Kind#OTHER} and is kept whole. */
    void copyFrom(DirectBuffer excerpt, int offset, int excerptLength) {
        if (!EntryLayout.matches(excerpt, offset, excerptLength)) {
            receiveTimestampNs = 0;
            length = excerptLength;
            message.putBytes(0, excerpt, offset, length);
            kind = FeedMessage.Kind.OTHER;
            return;
        }
        receiveTimestampNs = EntryLayout.receiveTimestampNs(excerpt, offset);
        length = excerptLength - EntryLayout.MESSAGE_OFFSET;
        message.putBytes(0, excerpt, offset + EntryLayout.MESSAGE_OFFSET, length);
        kind = FeedMessage.kind(message, 0, length);
    }
}
