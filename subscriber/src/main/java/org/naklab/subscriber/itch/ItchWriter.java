package org.naklab.subscriber.itch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteOrder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/**
 * Writes the messages of ITCH 5.0 that carry order events, and three of the lab. Numbers are big-endian. Not thread-safe; allocates
 * nothing but for the directory.
 *
 * <pre>
 *   every message:  code 1 · stock locate 2 · tracking number 2 (always 0) · time 6 (ns after midnight) · …
 *   'b' book state: … state 1 ('V' 'S' 'R') · feed sequence 8                        20 bytes
 *   'q' quote:      … bid price 4 · bid shares 4 · ask price 4 · ask shares 4 · skipped 4   31 bytes
 *   'G' end of a snapshot: code 1 · next sequence 20 (ASCII)                         21 bytes, GLIMPSE 5.0
 * </pre>
 */
public final class ItchWriter {
    /** Bytes of the longest message. */
    public static final int MAX_LENGTH = 44;

    static final int BODY = 11;
    static final int BOOK_STATE_BYTES = 20;
    static final int QUOTE_BYTES = 31;
    static final int SNAPSHOT_END_BYTES = 21;
    static final char BOOK_STATE = 'b';
    static final char QUOTE = 'q';
    static final char SNAPSHOT_END = 'G';
    /** Ends the messages of a day. */
    static final char END_OF_MESSAGES = 'C';

    private static final int STOCK_BYTES = 8;
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);
    private static final byte[] STOCK = "SYN".getBytes(US_ASCII);

    /**
     * Writes an event of the feed as one message.
     *
     * @param timeNs of the message, reduced to nanoseconds after midnight
     * @return the bytes written
     * @throws IllegalArgumentException when ITCH cannot carry its price or its instrument
     */
    public int write(OrderEvent event, long timeNs, MutableDirectBuffer buffer, int at) {
        return switch (event.type) {
            case ADD -> {
                head(buffer, at, 'A', event.instrumentId, timeNs);
                order(event, buffer, at);
                yield 36;
            }
            case CANCEL_PART -> {
                head(buffer, at, 'X', event.instrumentId, timeNs);
                buffer.putLong(at + BODY, event.orderId, ByteOrder.BIG_ENDIAN);
                buffer.putInt(at + 19, event.quantity, ByteOrder.BIG_ENDIAN);
                yield 23;
            }
            case DELETE -> {
                head(buffer, at, 'D', event.instrumentId, timeNs);
                buffer.putLong(at + BODY, event.orderId, ByteOrder.BIG_ENDIAN);
                yield 19;
            }
            case EXECUTE -> {
                head(buffer, at, 'C', event.instrumentId, timeNs);
                buffer.putLong(at + BODY, event.orderId, ByteOrder.BIG_ENDIAN);
                buffer.putInt(at + 19, event.quantity, ByteOrder.BIG_ENDIAN);
                buffer.putLong(at + 23, event.sequence, ByteOrder.BIG_ENDIAN);
                buffer.putByte(at + 31, (byte) 'Y');
                buffer.putInt(at + 32, price(event.price), ByteOrder.BIG_ENDIAN);
                yield 36;
            }
            case HIDDEN_TRADE -> {
                head(buffer, at, 'P', event.instrumentId, timeNs);
                order(event, buffer, at);
                buffer.putLong(at + 36, event.sequence, ByteOrder.BIG_ENDIAN);
                yield 44;
            }
            case HALT -> tradingAction('H', event.instrumentId, timeNs, buffer, at);
            case RESUME -> tradingAction('T', event.instrumentId, timeNs, buffer, at);
        };
    }

    /** Writes the entry of an instrument in the directory; returns the bytes written. */
    public int writeDirectory(int instrumentId, long timeNs, MutableDirectBuffer buffer, int at) {
        head(buffer, at, 'R', instrumentId, timeNs);
        stock(instrumentId, buffer, at + BODY);
        // Market category, financial status, lots, class and restrictions: NASDAQ Global Select, normal, lots of 100,
        // common.
        buffer.putStringWithoutLengthAscii(at + 19, "QN");
        buffer.putInt(at + 21, 100, ByteOrder.BIG_ENDIAN);
        buffer.putStringWithoutLengthAscii(at + 25, "NCZ PN N1N");
        buffer.putInt(at + 34, 0);
        buffer.putByte(at + 38, (byte) 'N');
        return 39;
    }

    /** Writes that no message follows; returns the bytes written. */
    public int writeEnd(long timeNs, MutableDirectBuffer buffer, int at) {
        head(buffer, at, 'S', 0, timeNs);
        buffer.putByte(at + BODY, (byte) END_OF_MESSAGES);
        return 12;
    }

    /**
     * Writes the state of a book.
     *
     * @param sequence of the feed, from which on the book is suspect; 0 of a valid book
     * @return the bytes written
     */
    public int writeState(
            int instrumentId, BookState state, long sequence, long timeNs, MutableDirectBuffer buffer, int at) {
        head(buffer, at, BOOK_STATE, instrumentId, timeNs);
        buffer.putByte(at + BODY, (byte) state.code());
        buffer.putLong(at + 12, sequence, ByteOrder.BIG_ENDIAN);
        return BOOK_STATE_BYTES;
    }

    /** Writes best prices; returns the bytes written. */
    public int writeQuote(Quote quote, int skipped, MutableDirectBuffer buffer, int at) {
        head(buffer, at, QUOTE, quote.instrumentId(), quote.timeNs());
        buffer.putInt(at + BODY, price(quote.bidPrice()), ByteOrder.BIG_ENDIAN);
        buffer.putInt(at + 15, shares(quote.bidQuantity()), ByteOrder.BIG_ENDIAN);
        buffer.putInt(at + 19, price(quote.askPrice()), ByteOrder.BIG_ENDIAN);
        buffer.putInt(at + 23, shares(quote.askQuantity()), ByteOrder.BIG_ENDIAN);
        buffer.putInt(at + 27, skipped, ByteOrder.BIG_ENDIAN);
        return QUOTE_BYTES;
    }

    /** Writes the end of a snapshot, with the sequence of the first message that is not in it; returns the bytes written. */
    public int writeSnapshotEnd(long nextSequence, MutableDirectBuffer buffer, int at) {
        buffer.putByte(at, (byte) SNAPSHOT_END);
        buffer.putStringWithoutLengthAscii(at + 1, String.format(Locale.ROOT, "%20d", nextSequence));
        return SNAPSHOT_END_BYTES;
    }

    private int tradingAction(char state, int instrumentId, long timeNs, MutableDirectBuffer buffer, int at) {
        head(buffer, at, 'H', instrumentId, timeNs);
        stock(instrumentId, buffer, at + BODY);
        buffer.putByte(at + 19, (byte) state);
        buffer.putStringWithoutLengthAscii(at + 20, "     ");
        return 25;
    }

    private static void order(OrderEvent event, MutableDirectBuffer buffer, int at) {
        buffer.putLong(at + BODY, event.orderId, ByteOrder.BIG_ENDIAN);
        buffer.putByte(at + 19, (byte) (event.side == Side.BUY ? 'B' : 'S'));
        buffer.putInt(at + 20, event.quantity, ByteOrder.BIG_ENDIAN);
        stock(event.instrumentId, buffer, at + 24);
        buffer.putInt(at + 32, price(event.price), ByteOrder.BIG_ENDIAN);
    }

    private static void head(MutableDirectBuffer buffer, int at, char code, int instrumentId, long timeNs) {
        if (instrumentId < 0 || instrumentId > 0xFFFF) {
            throw new IllegalArgumentException(
                    "ITCH numbers instruments from 0 to 65535, and this one is " + instrumentId);
        }
        long ofDayNs = Math.floorMod(timeNs, DAY_NS);
        buffer.putByte(at, (byte) code);
        buffer.putShort(at + 1, (short) instrumentId, ByteOrder.BIG_ENDIAN);
        buffer.putShort(at + 3, (short) 0);
        buffer.putShort(at + 5, (short) (ofDayNs >>> 32), ByteOrder.BIG_ENDIAN);
        buffer.putInt(at + 7, (int) ofDayNs, ByteOrder.BIG_ENDIAN);
    }

    private static void stock(int instrumentId, MutableDirectBuffer buffer, int at) {
        buffer.setMemory(at, STOCK_BYTES, (byte) ' ');
        buffer.putBytes(at, STOCK);
        buffer.putNaturalIntAscii(at + STOCK.length, instrumentId);
    }

    private static int price(long price) {
        if (price < 0 || price > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException(
                    "ITCH carries prices from 0 to 429496.7295, and this one is " + price + " ten-thousandths");
        }
        return (int) price;
    }

    private static int shares(long quantity) {
        return (int) Math.min(quantity, 0xFFFF_FFFFL);
    }
}
