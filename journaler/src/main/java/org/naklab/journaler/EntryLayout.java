package org.naklab.journaler;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The bytes of one excerpt: two named fields as Chronicle's binary wire writes them, so that Chronicle's own tools print
 * them, yet at fixed offsets, so that writing and reading them costs two copies. The names are short because they are written
 * with every record: ten bytes more cost an append about one twentieth. FORMAT.md draws it.
 */
final class EntryLayout {
    /** Wire codes, from net.openhft.chronicle.wire.BinaryWireCode. */
    private static final int FIELD_NAME = 0xC0;

    private static final int INT64 = 0xA7;
    private static final int BYTES_LENGTH8 = 0x80;
    private static final int U8_ARRAY = 0x8A;

    private static final byte[] TIMESTAMP_PREFIX = prefix("rxNs", INT64);
    private static final byte[] MESSAGE_PREFIX = prefix("sbe", BYTES_LENGTH8);

    private static final int TIMESTAMP_OFFSET = TIMESTAMP_PREFIX.length;
    private static final int MESSAGE_PREFIX_OFFSET = TIMESTAMP_OFFSET + Long.BYTES;
    private static final int LENGTH_OFFSET = MESSAGE_PREFIX_OFFSET + MESSAGE_PREFIX.length;

    static final int MESSAGE_OFFSET = LENGTH_OFFSET + 2;

    /** What the length byte can say, less the array's own code. */
    static final int MAX_MESSAGE_BYTES = 254;

    static final int MAX_BYTES = MESSAGE_OFFSET + MAX_MESSAGE_BYTES;

    private EntryLayout() {}

    /** Writes once what is alike in all excerpts. */
    static void prepare(MutableDirectBuffer excerpt) {
        excerpt.putBytes(0, TIMESTAMP_PREFIX);
        excerpt.putBytes(MESSAGE_PREFIX_OFFSET, MESSAGE_PREFIX);
        excerpt.putByte(LENGTH_OFFSET + 1, (byte) U8_ARRAY);
    }

    /**
     * Fills a prepared excerpt.
     *
     * @return its length in bytes
     */
    static int write(
            MutableDirectBuffer excerpt, long receiveTimestampNs, DirectBuffer message, int offset, int length) {
        excerpt.putLong(TIMESTAMP_OFFSET, receiveTimestampNs, LITTLE_ENDIAN);
        excerpt.putByte(LENGTH_OFFSET, (byte) (length + 1));
        excerpt.putBytes(MESSAGE_OFFSET, message, offset, length);
        return MESSAGE_OFFSET + length;
    }

    /** Whether the bytes are such an excerpt. */
    static boolean matches(DirectBuffer buffer, int offset, int length) {
        return length >= MESSAGE_OFFSET
                && length <= MAX_BYTES
                && startsWith(buffer, offset, TIMESTAMP_PREFIX)
                && startsWith(buffer, offset + MESSAGE_PREFIX_OFFSET, MESSAGE_PREFIX)
                && Byte.toUnsignedInt(buffer.getByte(offset + LENGTH_OFFSET)) == length - MESSAGE_OFFSET + 1
                && buffer.getByte(offset + LENGTH_OFFSET + 1) == (byte) U8_ARRAY;
    }

    static long receiveTimestampNs(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + TIMESTAMP_OFFSET, LITTLE_ENDIAN);
    }

    private static boolean startsWith(DirectBuffer buffer, int offset, byte[] prefix) {
        for (int i = 0; i < prefix.length; i++) {
            if (buffer.getByte(offset + i) != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] prefix(String fieldName, int valueCode) {
        byte[] name = fieldName.getBytes(StandardCharsets.US_ASCII);
        byte[] prefix = new byte[name.length + 2];
        prefix[0] = (byte) (FIELD_NAME + name.length);
        System.arraycopy(name, 0, prefix, 1, name.length);
        prefix[prefix.length - 1] = (byte) valueCode;
        return prefix;
    }
}
