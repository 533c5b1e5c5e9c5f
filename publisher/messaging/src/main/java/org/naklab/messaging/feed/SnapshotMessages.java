package org.naklab.messaging.feed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.naklab.messaging.codec.GroupSizeEncodingDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.OrderBookSnapshotDecoder;

/** The one check of a message of {@code OrderBookSnapshots}, with explicit bounds as in {@link FeedMessages}. */
public final class SnapshotMessages {
    private static final int GROUP_HEADER_BYTES = GroupSizeEncodingDecoder.ENCODED_LENGTH;

    /** Tells what a receiver of snapshots does with a message. */
    public enum Kind {
        SNAPSHOT,
        /** Of another schema or template: left alone. */
        OTHER,
        /** A snapshot whose lengths cannot be: never used. */
        MALFORMED
    }

    private SnapshotMessages() {}

    /** Tells what a message is; both groups of levels must lie within its length. */
    public static Kind kind(DirectBuffer buffer, int offset, int length) {
        int headerBytes = MessageHeaderDecoder.ENCODED_LENGTH;
        if (offset < 0 || length < headerBytes || offset > buffer.capacity() - length) {
            return Kind.MALFORMED;
        }
        if (unsignedShort(buffer, offset + MessageHeaderDecoder.schemaIdEncodingOffset())
                        != MessageHeaderDecoder.SCHEMA_ID
                || unsignedShort(buffer, offset + MessageHeaderDecoder.templateIdEncodingOffset())
                        != OrderBookSnapshotDecoder.TEMPLATE_ID) {
            return Kind.OTHER;
        }
        int blockBytes = unsignedShort(buffer, offset + MessageHeaderDecoder.blockLengthEncodingOffset());
        if (blockBytes < OrderBookSnapshotDecoder.BLOCK_LENGTH) {
            return Kind.MALFORMED;
        }
        int end = offset + length;
        int asks = groupEnd(buffer, offset + headerBytes + blockBytes, end);
        return asks >= 0 && groupEnd(buffer, asks, end) >= 0 ? Kind.SNAPSHOT : Kind.MALFORMED;
    }

    /** Where a group ends, or -1 when it does not lie before {@code end}. */
    private static int groupEnd(DirectBuffer buffer, int offset, int end) {
        if (offset > end - GROUP_HEADER_BYTES) {
            return -1;
        }
        int entryBytes = unsignedShort(buffer, offset);
        int entries = unsignedShort(buffer, offset + Short.BYTES);
        long groupEnd = offset + GROUP_HEADER_BYTES + (long) entryBytes * entries;
        boolean isSound = entryBytes >= OrderBookSnapshotDecoder.BidsDecoder.sbeBlockLength() && groupEnd <= end;
        return isSound ? (int) groupEnd : -1;
    }

    private static int unsignedShort(DirectBuffer buffer, int offset) {
        return Short.toUnsignedInt(buffer.getShort(offset, LITTLE_ENDIAN));
    }
}
