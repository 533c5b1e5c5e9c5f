package org.naklab.journaler;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The bytes of the excerpt that a journal begins with: the format's version, and the id of the feed. FORMAT.md draws it. */
final class FeedLayout {
    private static final byte[] VERSION_PREFIX = WireFields.prefix("format", WireFields.INT64);
    private static final byte[] FEED_PREFIX = WireFields.prefix("feed", WireFields.INT64);

    private static final int VERSION_OFFSET = VERSION_PREFIX.length;
    private static final int FEED_PREFIX_OFFSET = VERSION_OFFSET + Long.BYTES;
    private static final int FEED_OFFSET = FEED_PREFIX_OFFSET + FEED_PREFIX.length;

    /** Without the checksum. */
    static final int BYTES = FEED_OFFSET + Long.BYTES;

    private FeedLayout() {}

    static int write(MutableDirectBuffer excerpt, int at, long version, long feedId) {
        excerpt.putBytes(at, VERSION_PREFIX);
        excerpt.putLong(at + VERSION_OFFSET, version, LITTLE_ENDIAN);
        excerpt.putBytes(at + FEED_PREFIX_OFFSET, FEED_PREFIX);
        excerpt.putLong(at + FEED_OFFSET, feedId, LITTLE_ENDIAN);
        return BYTES;
    }

    /** Returns whether the bytes, the checksum not among them, are such an excerpt. */
    static boolean matches(DirectBuffer buffer, int offset, int length) {
        return length == BYTES
                && WireFields.isAt(buffer, offset, VERSION_PREFIX)
                && WireFields.isAt(buffer, offset + FEED_PREFIX_OFFSET, FEED_PREFIX);
    }

    static long version(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + VERSION_OFFSET, LITTLE_ENDIAN);
    }

    static long feedId(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + FEED_OFFSET, LITTLE_ENDIAN);
    }
}
