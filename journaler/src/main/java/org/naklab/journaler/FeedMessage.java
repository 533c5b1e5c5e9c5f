package org.naklab.journaler;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.naklab.messaging.codec.AddOrderDecoder;
import org.naklab.messaging.codec.CancelPartDecoder;
import org.naklab.messaging.codec.DeleteOrderDecoder;
import org.naklab.messaging.codec.ExecuteOrderDecoder;
import org.naklab.messaging.codec.HiddenTradeDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.TradingStatusDecoder;
import org.naklab.messaging.codec.TrailerDecoder;

/** What a journal needs to know of a message without decoding it. */
final class FeedMessage {
    enum Kind {
        /** A sequenced message. */
        EVENT,
        TRAILER,
        /** Nothing that belongs in a journal. */
        OTHER
    }

    private FeedMessage() {}

    /** Tells what the bytes are; {@link Kind#OTHER} too when the length does not fit what the header says. */
    static Kind kind(DirectBuffer buffer, int offset, int length) {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH
                || unsignedShort(buffer, offset + MessageHeaderDecoder.schemaIdEncodingOffset())
                        != MessageHeaderDecoder.SCHEMA_ID) {
            return Kind.OTHER;
        }
        int blockLength = unsignedShort(buffer, offset + MessageHeaderDecoder.blockLengthEncodingOffset());
        if (length != MessageHeaderDecoder.ENCODED_LENGTH + blockLength) {
            return Kind.OTHER;
        }
        int templateId = unsignedShort(buffer, offset + MessageHeaderDecoder.templateIdEncodingOffset());
        return switch (templateId) {
            case AddOrderDecoder.TEMPLATE_ID,
                    CancelPartDecoder.TEMPLATE_ID,
                    DeleteOrderDecoder.TEMPLATE_ID,
                    ExecuteOrderDecoder.TEMPLATE_ID,
                    HiddenTradeDecoder.TEMPLATE_ID ->
                blockLength >= AddOrderDecoder.BLOCK_LENGTH ? Kind.EVENT : Kind.OTHER;
            case TradingStatusDecoder.TEMPLATE_ID ->
                blockLength >= TradingStatusDecoder.BLOCK_LENGTH ? Kind.EVENT : Kind.OTHER;
            case TrailerDecoder.TEMPLATE_ID -> blockLength >= TrailerDecoder.BLOCK_LENGTH ? Kind.TRAILER : Kind.OTHER;
            default -> Kind.OTHER;
        };
    }

    /** The sequence of an event, the last sequence of a trailer: the first field of either. */
    static long sequence(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + MessageHeaderDecoder.ENCODED_LENGTH, LITTLE_ENDIAN);
    }

    /** The feed's digest as a trailer gives it, 0 to 2^32 - 1. */
    static long trailerDigest(DirectBuffer buffer, int offset) {
        int digestOffset = offset + MessageHeaderDecoder.ENCODED_LENGTH + TrailerDecoder.digestEncodingOffset();
        return Integer.toUnsignedLong(buffer.getInt(digestOffset, LITTLE_ENDIAN));
    }

    private static int unsignedShort(DirectBuffer buffer, int offset) {
        return Short.toUnsignedInt(buffer.getShort(offset, LITTLE_ENDIAN));
    }
}
