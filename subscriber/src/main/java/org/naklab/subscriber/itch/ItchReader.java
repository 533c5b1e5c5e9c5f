package org.naklab.subscriber.itch;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** Reads the messages that {@link ItchWriter} writes. Not thread-safe; allocates nothing after construction. */
public final class ItchReader {
    /** Takes what was read. Events and times are those of the call only. */
    public interface Handler {
        /** Takes an order event; its sequence is 0. */
        void onEvent(OrderEvent event, long timeNs);

        /** Takes the state of a book. */
        default void onState(int instrumentId, BookState state, long sequence, long timeNs) {}

        /** Takes best prices, and how many of them were skipped before. */
        default void onQuote(Quote quote, int skipped) {}

        /** Takes the end of a snapshot, with the sequence of the first message that is not in it. */
        default void onSnapshotEnd(long nextSequence) {}

        /** Takes the end of all messages. */
        default void onEnd() {}
    }

    /** Order with a participant, execution at the order's price, replacement. */
    private static final String UNREAD_CHANGES = "FEU";

    private final OrderEvent event = new OrderEvent();

    /**
     * Reads one message. Those that change no book are left out.
     *
     * @throws IllegalArgumentException when the message is shorter than its code demands, or changes a book in a way that
     *     {@link ItchWriter} does not write
     */
    public void read(DirectBuffer buffer, int at, int length, Handler handler) {
        char code = (char) buffer.getByte(at);
        if (UNREAD_CHANGES.indexOf(code) >= 0) {
            throw new IllegalArgumentException("a message " + code + " changes a book, and it is not read here");
        }
        int needed = lengthOf(code);
        if (length < needed) {
            throw new IllegalArgumentException("a message " + code + " of " + length + " bytes; it has " + needed);
        }
        if (code == ItchWriter.SNAPSHOT_END) {
            handler.onSnapshotEnd(Long.parseLong(
                    buffer.getStringWithoutLengthAscii(at + 1, 20).strip()));
            return;
        }
        if (needed == 0) {
            return;
        }
        int instrumentId = Short.toUnsignedInt(buffer.getShort(at + 1, ByteOrder.BIG_ENDIAN));
        long timeNs = ((long) Short.toUnsignedInt(buffer.getShort(at + 5, ByteOrder.BIG_ENDIAN)) << 32)
                + uint(buffer, at + 7);
        switch (code) {
            case ItchWriter.BOOK_STATE ->
                handler.onState(
                        instrumentId,
                        BookState.of((char) buffer.getByte(at + ItchWriter.BODY)),
                        buffer.getLong(at + 12, ByteOrder.BIG_ENDIAN),
                        timeNs);
            case ItchWriter.QUOTE -> quote(instrumentId, timeNs, buffer, at, handler);
            case 'S' -> {
                if (buffer.getByte(at + ItchWriter.BODY) == ItchWriter.END_OF_MESSAGES) {
                    handler.onEnd();
                }
            }
            default -> {
                readEvent(code, instrumentId, timeNs, buffer, at);
                handler.onEvent(event, timeNs);
            }
        }
    }

    private void readEvent(char code, int instrumentId, long timeNs, DirectBuffer buffer, int at) {
        EventType type =
                switch (code) {
                    case 'A' -> EventType.ADD;
                    case 'X' -> EventType.CANCEL_PART;
                    case 'D' -> EventType.DELETE;
                    case 'C' -> EventType.EXECUTE;
                    case 'P' -> EventType.HIDDEN_TRADE;
                    default -> buffer.getByte(at + 19) == 'H' ? EventType.HALT : EventType.RESUME;
                };
        boolean isOrder = code == 'A' || code == 'P';
        event.sequence = 0;
        event.set(
                type,
                instrumentId,
                timeNs,
                code == 'H' ? 0 : buffer.getLong(at + ItchWriter.BODY, ByteOrder.BIG_ENDIAN),
                isOrder && buffer.getByte(at + 19) == 'S' ? Side.SELL : Side.BUY,
                isOrder || code == 'C' ? uint(buffer, at + 32) : 0,
                isOrder
                        ? buffer.getInt(at + 20, ByteOrder.BIG_ENDIAN)
                        : code == 'X' || code == 'C' ? buffer.getInt(at + 19, ByteOrder.BIG_ENDIAN) : 0);
    }

    private static void quote(int instrumentId, long timeNs, DirectBuffer buffer, int at, Handler handler) {
        int body = at + ItchWriter.BODY;
        Quote quote = new Quote(
                instrumentId,
                timeNs,
                0,
                uint(buffer, body),
                uint(buffer, body + 4),
                uint(buffer, body + 8),
                uint(buffer, body + 12));
        handler.onQuote(quote, buffer.getInt(body + 16, ByteOrder.BIG_ENDIAN));
    }

    /** Bytes of a message that is read; 0 of one that is left out. */
    private static int lengthOf(char code) {
        return switch (code) {
            case 'A', 'C' -> 36;
            case 'X' -> 23;
            case 'D' -> 19;
            case 'P' -> 44;
            case 'H' -> 25;
            case 'S' -> 12;
            case ItchWriter.BOOK_STATE -> ItchWriter.BOOK_STATE_BYTES;
            case ItchWriter.QUOTE -> ItchWriter.QUOTE_BYTES;
            case ItchWriter.SNAPSHOT_END -> ItchWriter.SNAPSHOT_END_BYTES;
            default -> 0;
        };
    }

    private static long uint(DirectBuffer buffer, int at) {
        return Integer.toUnsignedLong(buffer.getInt(at, ByteOrder.BIG_ENDIAN));
    }
}
