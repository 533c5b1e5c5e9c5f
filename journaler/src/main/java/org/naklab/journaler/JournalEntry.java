package org.naklab.journaler;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.feed.FeedMessages;
import org.naklab.messaging.feed.MessageKind;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;

/** One record of a journal, a copy of it, reused from record to record so that reading allocates nothing. */
public final class JournalEntry {
    private final UnsafeBuffer record = new UnsafeBuffer(new byte[Checksums.RECORD_OFFSET + EntryLayout.MAX_BYTES]);
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private int recordBytes;
    private long receiveTimestampNs;
    private MessageKind kind = MessageKind.OTHER;
    private boolean isSealed;
    private boolean isFeed;
    private boolean isDamaged;

    /** Returns when the message was received, in nanoseconds since the epoch. */
    public long receiveTimestampNs() {
        return receiveTimestampNs;
    }

    /** The message from index 0 on, header included; on the heap. */
    public DirectBuffer message() {
        return message;
    }

    /** The message's bytes, header included. */
    public int length() {
        return message.capacity();
    }

    /** Returns whether the record is the trailer and not an event. */
    public boolean isTrailer() {
        return kind == MessageKind.TRAILER;
    }

    /** The event's sequence; of the trailer the feed's last. */
    public long sequence() {
        return FeedMessages.sequence(message, 0);
    }

    /** The feed's digest as the trailer gives it. */
    public long trailerDigest() {
        return FeedMessages.trailerDigest(message, 0);
    }

    /**
     * Decodes an event.
     *
     * @return false when a field of it has a value that the feed does not know
     */
    public boolean decode(OrderEventCodec codec, OrderEvent event) {
        try {
            return codec.decode(message, 0, event);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    MessageKind kind() {
        return kind;
    }

    /** Returns whether the record has a checksum, right or wrong; those of format 1 have none. */
    boolean isSealed() {
        return isSealed;
    }

    /** Returns whether the record is no message, but says which format and feed the journal is of. */
    boolean isFeed() {
        return isFeed;
    }

    long formatVersion() {
        return FeedLayout.version(record, Checksums.RECORD_OFFSET);
    }

    long feedId() {
        return FeedLayout.feedId(record, Checksums.RECORD_OFFSET);
    }

    /** Returns whether the record is not what was written, or not what followed the one before it. */
    boolean isDamaged() {
        return isDamaged;
    }

    void damaged() {
        isDamaged = true;
    }

    /** Takes the record for nothing that belongs in this journal; it is kept whole. */
    void disown() {
        receiveTimestampNs = 0;
        isFeed = false;
        kind = MessageKind.OTHER;
        message.wrap(record, Checksums.RECORD_OFFSET, recordBytes);
    }

    /** Holds the checksum against the record. */
    boolean isChecked(Checksums checksums) {
        return checksums.check(record, recordBytes);
    }

    /** Copies an excerpt; one that no journal writes becomes {@link MessageKind#OTHER}. */
    void copyFrom(DirectBuffer excerpt, int offset, int excerptLength) {
        recordBytes = excerptLength;
        record.putBytes(Checksums.RECORD_OFFSET, excerpt, offset, excerptLength);
        isDamaged = false;
        isSealed = Checksums.isSealed(record, excerptLength);
        int contentBytes = isSealed ? excerptLength - Checksums.FIELD_BYTES : excerptLength;
        isFeed = isSealed && FeedLayout.matches(record, Checksums.RECORD_OFFSET, contentBytes);
        if (!EntryLayout.matches(record, Checksums.RECORD_OFFSET, contentBytes)) {
            boolean wasFeed = isFeed;
            disown();
            isFeed = wasFeed;
            return;
        }
        receiveTimestampNs = EntryLayout.receiveTimestampNs(record, Checksums.RECORD_OFFSET);
        int length = contentBytes - EntryLayout.MESSAGE_OFFSET;
        message.wrap(record, Checksums.RECORD_OFFSET + EntryLayout.MESSAGE_OFFSET, length);
        kind = FeedMessages.kind(message, 0, length);
    }
}
