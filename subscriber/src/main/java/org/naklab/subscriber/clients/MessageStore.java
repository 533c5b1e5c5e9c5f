package org.naklab.subscriber.clients;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The latest messages of a session, framed as sequenced packets of SoupBinTCP, so that all clients are sent the same bytes. One thread
 * writes; any number reads, each with a {@link Cursor} of its own. The writer never waits for a reader, and what is older than the
 * store's limit is gone, also for a reader that has not read it: a dropped segment is cut off, so that the place of a reader that stopped
 * keeps one segment in memory, and not all that follow.
 *
 * <pre>
 *   segment ─▶ segment ─▶ segment        a segment:  { length 2 · 'S' · message } …
 *   oldest                latest
 * </pre>
 */
final class MessageStore {
    static final int SEGMENT_BYTES = 64 << 10;
    /** Length and type before each message. */
    static final int HEAD_BYTES = 3;

    private final int maxSegments;
    private final AtomicLong nextSequence = new AtomicLong(1);
    private volatile Segment oldest = new Segment(1, 0);
    private Segment latest = oldest;
    private int segments = 1;
    private int written;
    private long nextToWrite = 1;

    /** A piece of the store. Its bytes before {@code published} do not change any more. */
    private static final class Segment {
        final byte[] bytes = new byte[SEGMENT_BYTES];
        final long firstSequence;
        /** Bytes of the session before it. */
        final long begin;

        volatile int published;
        volatile @Nullable Segment next;

        Segment(long firstSequence, long begin) {
            this.firstSequence = firstSequence;
            this.begin = begin;
        }
    }

    /**
     * Creates an empty store.
     *
     * @param maxBytes that it keeps, at least two segments
     */
    MessageStore(int maxBytes) {
        maxSegments = Math.max(2, maxBytes / SEGMENT_BYTES);
    }

    /** Adds a message; readers see it after {@link #publish()}. The writer's thread only. */
    void append(DirectBuffer message, int length) {
        int needed = HEAD_BYTES + length;
        if (written + needed > SEGMENT_BYTES) {
            addSegment();
        }
        byte[] bytes = latest.bytes;
        bytes[written] = (byte) ((length + 1) >>> 8);
        bytes[written + 1] = (byte) (length + 1);
        bytes[written + 2] = SoupPacket.SEQUENCED;
        message.getBytes(0, bytes, written + HEAD_BYTES, length);
        written += needed;
        nextToWrite++;
    }

    /** Makes all that was added visible. The writer's thread only. */
    void publish() {
        latest.published = written;
        nextSequence.set(nextToWrite);
    }

    /** Returns the sequence that the next message will have; any thread. */
    long nextSequence() {
        return nextSequence.get();
    }

    /** Returns the sequence of the oldest message that is kept; any thread. */
    long oldestSequence() {
        return oldest.firstSequence;
    }

    /** Returns a cursor before the message with the given sequence; null when the store does not have it, and it is not the next one. */
    @Nullable
    Cursor cursorAt(long sequence) {
        if (sequence > nextSequence()) {
            return null;
        }
        Segment segment = oldest;
        if (sequence < segment.firstSequence) {
            return null;
        }
        for (Segment next = segment.next; next != null && next.firstSequence <= sequence; next = segment.next) {
            segment = next;
        }
        if (isDropped(segment)) {
            return null;
        }
        int position = 0;
        for (long at = segment.firstSequence; at < sequence; at++) {
            position += 2 + lengthAt(segment.bytes, position);
        }
        return new Cursor(segment, position);
    }

    private void addSegment() {
        Segment added = new Segment(nextToWrite, latest.begin + written);
        latest.published = written;
        latest.next = added;
        latest = added;
        written = 0;
        if (++segments > maxSegments) {
            Segment dropped = oldest;
            Segment second = dropped.next;
            if (second != null) {
                oldest = second;
                dropped.next = null;
                segments--;
            }
        }
    }

    private boolean isDropped(Segment segment) {
        return segment.firstSequence < oldest.firstSequence;
    }

    private static int lengthAt(byte[] bytes, int position) {
        return ((bytes[position] & 0xFF) << 8) | (bytes[position + 1] & 0xFF);
    }

    /** A reader's place, always at the beginning of a packet. Of one thread. */
    final class Cursor {
        private Segment segment;
        private int position;

        private Cursor(Segment segment, int position) {
            this.segment = segment;
            this.position = position;
        }

        /** Returns whether the store has dropped this place. To be asked also when nothing is available: what came after may be gone. */
        boolean isLost() {
            return isDropped(segment);
        }

        /** Returns how many bytes of the session were published and not read yet; it is too low for a reader that is lost. */
        long lagBytes() {
            Segment last = segment;
            for (Segment next = last.next; next != null; next = last.next) {
                last = next;
            }
            return last.begin + last.published - segment.begin - position;
        }

        /** Returns how many bytes the store keeps at most. */
        long limitBytes() {
            return (long) maxSegments * SEGMENT_BYTES;
        }

        /** Returns how many bytes of whole packets can be read here, beginning at {@link #position()} of {@link #bytes()}; 0: all was read. */
        int available() {
            Segment next = segment.next;
            int available = segment.published - position;
            while (available == 0 && next != null) {
                segment = next;
                position = 0;
                next = segment.next;
                available = segment.published;
            }
            return available;
        }

        /** Returns the bytes to read, which do not change; to be asked after {@link #available()}. */
        byte[] bytes() {
            return segment.bytes;
        }

        int position() {
            return position;
        }

        /** Goes on by whole packets. */
        void advance(int bytes) {
            position += bytes;
        }

        /** Returns the length of the message here; the message begins {@link #HEAD_BYTES} after the position. */
        int messageLength() {
            return lengthAt(segment.bytes, position) - 1;
        }

        /** Goes on by one message. */
        void skip() {
            advance(HEAD_BYTES + messageLength());
        }
    }
}
