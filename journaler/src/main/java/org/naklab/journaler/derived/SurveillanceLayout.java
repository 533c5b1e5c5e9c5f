package org.naklab.journaler.derived;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** Header and records of the surveillance format; FORMAT.md draws them. */
final class SurveillanceLayout {
    static final int HEADER_BYTES = 16;
    static final int RECORD_BYTES = 88;

    private static final byte[] MAGIC = "NAKLSURV".getBytes(StandardCharsets.US_ASCII);
    private static final short VERSION = 1;

    private static final int SEQUENCE = 0;
    private static final int RECEIVE_TIMESTAMP = 8;
    private static final int EXCHANGE_TIMESTAMP = 16;
    private static final int ORDER_ID = 24;
    private static final int PRICE = 32;
    private static final int BID_PRICE = 40;
    private static final int BID_QUANTITY = 48;
    private static final int ASK_PRICE = 56;
    private static final int ASK_QUANTITY = 64;
    private static final int INSTRUMENT_ID = 72;
    private static final int QUANTITY = 76;
    private static final int TYPE = 80;
    private static final int SIDE = 81;
    private static final int FLAGS = 82;
    private static final int CHECKSUM = 84;

    private static final int HAS_BID = 1;
    private static final int HAS_ASK = 2;

    private final byte[] bytes = new byte[RECORD_BYTES];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final CRC32C crc = new CRC32C();

    /** The record to write or to read. */
    byte[] bytes() {
        return bytes;
    }

    static byte[] header() {
        UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER_BYTES]);
        header.putBytes(0, MAGIC);
        header.putShort(8, VERSION, LITTLE_ENDIAN);
        header.putShort(10, (short) HEADER_BYTES, LITTLE_ENDIAN);
        header.putShort(12, (short) RECORD_BYTES, LITTLE_ENDIAN);
        return header.byteArray();
    }

    void write(OrderEvent event, long receiveTimestampNs, TopOfBook top) {
        buffer.putLong(SEQUENCE, event.sequence, LITTLE_ENDIAN);
        buffer.putLong(RECEIVE_TIMESTAMP, receiveTimestampNs, LITTLE_ENDIAN);
        buffer.putLong(EXCHANGE_TIMESTAMP, event.exchangeTimestampNs, LITTLE_ENDIAN);
        buffer.putLong(ORDER_ID, event.orderId, LITTLE_ENDIAN);
        buffer.putLong(PRICE, event.price, LITTLE_ENDIAN);
        buffer.putLong(BID_PRICE, top.bidPrice(), LITTLE_ENDIAN);
        buffer.putLong(BID_QUANTITY, top.bidQuantity(), LITTLE_ENDIAN);
        buffer.putLong(ASK_PRICE, top.askPrice(), LITTLE_ENDIAN);
        buffer.putLong(ASK_QUANTITY, top.askQuantity(), LITTLE_ENDIAN);
        buffer.putInt(INSTRUMENT_ID, event.instrumentId, LITTLE_ENDIAN);
        buffer.putInt(QUANTITY, event.quantity, LITTLE_ENDIAN);
        buffer.putByte(TYPE, code(event.type));
        buffer.putByte(SIDE, (byte) (event.side == Side.BUY ? 'B' : 'S'));
        buffer.putByte(FLAGS, (byte) ((top.hasBid() ? HAS_BID : 0) | (top.hasAsk() ? HAS_ASK : 0)));
        buffer.putInt(CHECKSUM, checksum(), LITTLE_ENDIAN);
    }

    /** Reads {@link #bytes()}, or returns null when they are not what was written. */
    @Nullable
    SurveillanceRecord read() {
        EventType type = type(buffer.getByte(TYPE));
        if (type == null || buffer.getInt(CHECKSUM, LITTLE_ENDIAN) != checksum()) {
            return null;
        }
        int flags = buffer.getByte(FLAGS);
        return new SurveillanceRecord(
                buffer.getLong(SEQUENCE, LITTLE_ENDIAN),
                new SurveillanceRecord.Times(
                        buffer.getLong(RECEIVE_TIMESTAMP, LITTLE_ENDIAN),
                        buffer.getLong(EXCHANGE_TIMESTAMP, LITTLE_ENDIAN)),
                new SurveillanceRecord.Order(
                        buffer.getInt(INSTRUMENT_ID, LITTLE_ENDIAN),
                        buffer.getLong(ORDER_ID, LITTLE_ENDIAN),
                        type,
                        buffer.getByte(SIDE) == 'B' ? Side.BUY : Side.SELL,
                        buffer.getLong(PRICE, LITTLE_ENDIAN),
                        buffer.getInt(QUANTITY, LITTLE_ENDIAN)),
                best(flags & HAS_BID, BID_PRICE, BID_QUANTITY),
                best(flags & HAS_ASK, ASK_PRICE, ASK_QUANTITY));
    }

    private SurveillanceRecord.Best best(int flag, int price, int quantity) {
        return new SurveillanceRecord.Best(
                flag != 0, buffer.getLong(price, LITTLE_ENDIAN), buffer.getLong(quantity, LITTLE_ENDIAN));
    }

    private int checksum() {
        crc.reset();
        crc.update(bytes, 0, CHECKSUM);
        return (int) crc.getValue();
    }

    private static byte code(EventType type) {
        return (byte)
                switch (type) {
                    case ADD -> 'A';
                    case CANCEL_PART -> 'C';
                    case DELETE -> 'D';
                    case EXECUTE -> 'E';
                    case HIDDEN_TRADE -> 'X';
                    case HALT -> 'H';
                    case RESUME -> 'R';
                };
    }

    private static @Nullable EventType type(byte code) {
        return switch (code) {
            case 'A' -> EventType.ADD;
            case 'C' -> EventType.CANCEL_PART;
            case 'D' -> EventType.DELETE;
            case 'E' -> EventType.EXECUTE;
            case 'X' -> EventType.HIDDEN_TRADE;
            case 'H' -> EventType.HALT;
            case 'R' -> EventType.RESUME;
            default -> null;
        };
    }
}
