package org.naklab.messaging.feed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.naklab.messaging.codec.AddOrderDecoder;
import org.naklab.messaging.codec.CancelPartDecoder;
import org.naklab.messaging.codec.DeleteOrderDecoder;
import org.naklab.messaging.codec.ExecuteOrderDecoder;
import org.naklab.messaging.codec.HeartbeatDecoder;
import org.naklab.messaging.codec.HiddenTradeDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.TradingStatusDecoder;
import org.naklab.messaging.codec.TrailerDecoder;

/**
 * The one check of a message of {@code OrderBookEvents}, for service, gateway and journal alike. It reads no byte outside of
 * the length given, whether or not Agrona checks bounds. What it calls an event can be decoded. Allocates nothing.
 */
public final class FeedMessages {
    private static final int HEADER_BYTES = MessageHeaderDecoder.ENCODED_LENGTH;
    /** Blocks of schema version 0, which has no feed id. */
    private static final int HEARTBEAT_BLOCK_BYTES = HeartbeatDecoder.feedIdEncodingOffset();

    private static final int TRAILER_BLOCK_BYTES = TrailerDecoder.feedIdEncodingOffset();

    /** Blocks of schema versions before 2, which have no times. */
    private static final int ORDER_BLOCK_BYTES = AddOrderDecoder.dueNsEncodingOffset();

    private static final int STATUS_BLOCK_BYTES = TradingStatusDecoder.dueNsEncodingOffset();
    private static final int TIMES_VERSION = AddOrderDecoder.dueNsSinceVersion();

    private FeedMessages() {}

    /**
     * Tells what a message is.
     *
     * @param length the bytes that came, header included; they must be exactly what the header says
     */
    public static MessageKind kind(DirectBuffer buffer, int offset, int length) {
        if (offset < 0 || length < HEADER_BYTES || offset > buffer.capacity() - length) {
            return MessageKind.MALFORMED;
        }
        if (unsignedShort(buffer, offset + MessageHeaderDecoder.schemaIdEncodingOffset())
                != MessageHeaderDecoder.SCHEMA_ID) {
            return MessageKind.OTHER;
        }
        int blockBytes = unsignedShort(buffer, offset + MessageHeaderDecoder.blockLengthEncodingOffset());
        boolean isWhole = length == HEADER_BYTES + blockBytes;
        int version = unsignedShort(buffer, offset + MessageHeaderDecoder.versionEncodingOffset());
        int templateId = unsignedShort(buffer, offset + MessageHeaderDecoder.templateIdEncodingOffset());
        return switch (templateId) {
            case AddOrderDecoder.TEMPLATE_ID,
                    CancelPartDecoder.TEMPLATE_ID,
                    DeleteOrderDecoder.TEMPLATE_ID,
                    ExecuteOrderDecoder.TEMPLATE_ID,
                    HiddenTradeDecoder.TEMPLATE_ID -> {
                int least = version < TIMES_VERSION ? ORDER_BLOCK_BYTES : AddOrderDecoder.BLOCK_LENGTH;
                yield of(isWhole && isOrderEvent(buffer, offset, blockBytes, least), MessageKind.EVENT);
            }
            case TradingStatusDecoder.TEMPLATE_ID -> {
                int least = version < TIMES_VERSION ? STATUS_BLOCK_BYTES : TradingStatusDecoder.BLOCK_LENGTH;
                yield of(isWhole && isTradingStatus(buffer, offset, blockBytes, least), MessageKind.EVENT);
            }
            case HeartbeatDecoder.TEMPLATE_ID -> {
                int least = version == 0 ? HEARTBEAT_BLOCK_BYTES : HeartbeatDecoder.BLOCK_LENGTH;
                yield of(isWhole && isControl(buffer, offset, blockBytes, least), MessageKind.HEARTBEAT);
            }
            case TrailerDecoder.TEMPLATE_ID -> {
                int least = version == 0 ? TRAILER_BLOCK_BYTES : TrailerDecoder.BLOCK_LENGTH;
                yield of(isWhole && isControl(buffer, offset, blockBytes, least), MessageKind.TRAILER);
            }
            default -> MessageKind.OTHER;
        };
    }

    /** The sequence of an event, the last sequence of a heartbeat or trailer: the first field of each. */
    public static long sequence(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + HEADER_BYTES, LITTLE_ENDIAN);
    }

    /** The digest of a trailer, 0 to 2^32 - 1. */
    public static long trailerDigest(DirectBuffer buffer, int offset) {
        return Integer.toUnsignedLong(
                buffer.getInt(offset + HEADER_BYTES + TrailerDecoder.digestEncodingOffset(), LITTLE_ENDIAN));
    }

    /** The feed id of a heartbeat or trailer; {@link FeedId#UNKNOWN} in those of schema version 0. */
    public static long feedId(DirectBuffer buffer, int offset, MessageKind kind) {
        if (unsignedShort(buffer, offset + MessageHeaderDecoder.versionEncodingOffset()) == 0) {
            return FeedId.UNKNOWN;
        }
        int fieldOffset = kind == MessageKind.TRAILER
                ? TrailerDecoder.feedIdEncodingOffset()
                : HeartbeatDecoder.feedIdEncodingOffset();
        return buffer.getLong(offset + HEADER_BYTES + fieldOffset, LITTLE_ENDIAN);
    }

    private static MessageKind of(boolean isSound, MessageKind kind) {
        return isSound ? kind : MessageKind.MALFORMED;
    }

    private static boolean isOrderEvent(DirectBuffer buffer, int offset, int blockBytes, int leastBytes) {
        if (blockBytes < leastBytes || sequence(buffer, offset) < 1) {
            return false;
        }
        int block = offset + HEADER_BYTES;
        byte side = buffer.getByte(block + AddOrderDecoder.sideEncodingOffset());
        return (side == 'B' || side == 'S')
                && buffer.getInt(block + AddOrderDecoder.quantityEncodingOffset(), LITTLE_ENDIAN) >= 0;
    }

    private static boolean isTradingStatus(DirectBuffer buffer, int offset, int blockBytes, int leastBytes) {
        if (blockBytes < leastBytes || sequence(buffer, offset) < 1) {
            return false;
        }
        byte status = buffer.getByte(offset + HEADER_BYTES + TradingStatusDecoder.statusEncodingOffset());
        return status == 'H' || status == 'T';
    }

    private static boolean isControl(DirectBuffer buffer, int offset, int blockBytes, int leastBytes) {
        return blockBytes >= leastBytes && sequence(buffer, offset) >= 0;
    }

    private static int unsignedShort(DirectBuffer buffer, int offset) {
        return Short.toUnsignedInt(buffer.getShort(offset, LITTLE_ENDIAN));
    }
}
