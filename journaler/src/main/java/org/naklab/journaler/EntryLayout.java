package org.naklab.journaler;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The bytes of one excerpt with a message: named fields as Chronicle's binary wire writes them, so that Chronicle's own tools
 * print them, yet at offsets that the message's length alone decides, so that writing and reading them costs two copies. The
 * names are short because they are written with every record: ten bytes more cost an append about one twentieth. FORMAT.md
 * draws it.
 */
final class EntryLayout {
    private static final byte[] TIMESTAMP_PREFIX = WireFields.prefix("rxNs", WireFields.INT64);
    private static final byte[] MESSAGE_PREFIX = WireFields.prefix("sbe", WireFields.BYTES_LENGTH8);

    private static final int TIMESTAMP_OFFSET = TIMESTAMP_PREFIX.length;
    private static final int MESSAGE_PREFIX_OFFSET = TIMESTAMP_OFFSET + Long.BYTES;
    private static final int LENGTH_OFFSET = MESSAGE_PREFIX_OFFSET + MESSAGE_PREFIX.length;

    static final int MESSAGE_OFFSET = LENGTH_OFFSET + 2;

    /** What the length byte can say, less the array's own code. */
    static final int MAX_MESSAGE_BYTES = 254;

    static final int MAX_BYTES = MESSAGE_OFFSET + MAX_MESSAGE_BYTES + Checksums.FIELD_BYTES;

    private EntryLayout() {}

    /** Writes once what is alike in all excerpts. */
    static void prepare(MutableDirectBuffer excerpt, int at) {
        excerpt.putBytes(at, TIMESTAMP_PREFIX);
        excerpt.putBytes(at + MESSAGE_PREFIX_OFFSET, MESSAGE_PREFIX);
        excerpt.putByte(at + LENGTH_OFFSET + 1, (byte) WireFields.U8_ARRAY);
    }

    /**
     * Fills a prepared excerpt, but for the checksum at its end.
     *
     * @return its length in bytes without the checksum
     */
    static int write(
            MutableDirectBuffer excerpt,
            int at,
            long receiveTimestampNs,
            DirectBuffer message,
            int offset,
            int length) {
        excerpt.putLong(at + TIMESTAMP_OFFSET, receiveTimestampNs, LITTLE_ENDIAN);
        excerpt.putByte(at + LENGTH_OFFSET, (byte) (length + 1));
        excerpt.putBytes(at + MESSAGE_OFFSET, message, offset, length);
        return MESSAGE_OFFSET + length;
    }

    /** Returns whether the bytes, the checksum not among them, are such an excerpt. */
    static boolean matches(DirectBuffer buffer, int offset, int length) {
        return length >= MESSAGE_OFFSET
                && length <= MESSAGE_OFFSET + MAX_MESSAGE_BYTES
                && WireFields.isAt(buffer, offset, TIMESTAMP_PREFIX)
                && WireFields.isAt(buffer, offset + MESSAGE_PREFIX_OFFSET, MESSAGE_PREFIX)
                && Byte.toUnsignedInt(buffer.getByte(offset + LENGTH_OFFSET)) == length - MESSAGE_OFFSET + 1
                && buffer.getByte(offset + LENGTH_OFFSET + 1) == (byte) WireFields.U8_ARRAY;
    }

    static long receiveTimestampNs(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + TIMESTAMP_OFFSET, LITTLE_ENDIAN);
    }
}
