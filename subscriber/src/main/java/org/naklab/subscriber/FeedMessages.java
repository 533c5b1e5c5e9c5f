package org.naklab.subscriber;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.naklab.messaging.codec.HeartbeatDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.TradingStatusDecoder;
import org.naklab.messaging.codec.TrailerDecoder;

/** What can be told of a message without decoding it. */
final class FeedMessages {
    enum Kind {
        EVENT,
        HEARTBEAT,
        TRAILER,
        /** Of another schema, or of a later version's template: not for us. */
        OTHER
    }

    private FeedMessages() {}

    static Kind kind(DirectBuffer buffer, int length) {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH + Long.BYTES
                || buffer.getShort(MessageHeaderDecoder.schemaIdEncodingOffset(), LITTLE_ENDIAN)
                        != (short) MessageHeaderDecoder.SCHEMA_ID) {
            return Kind.OTHER;
        }
        int templateId = buffer.getShort(MessageHeaderDecoder.templateIdEncodingOffset(), LITTLE_ENDIAN);
        if (templateId > 0 && templateId <= TradingStatusDecoder.TEMPLATE_ID) {
            return Kind.EVENT;
        }
        return switch (templateId) {
            case HeartbeatDecoder.TEMPLATE_ID -> Kind.HEARTBEAT;
            case TrailerDecoder.TEMPLATE_ID -> Kind.TRAILER;
            default -> Kind.OTHER;
        };
    }

    /** Sequence of an event, last sequence of a heartbeat or trailer: the first field of each. */
    static long sequence(DirectBuffer buffer) {
        return buffer.getLong(MessageHeaderDecoder.ENCODED_LENGTH, LITTLE_ENDIAN);
    }

    /** The digest of a trailer, 0 to 2^32 - 1. */
    static long trailerDigest(DirectBuffer buffer) {
        int offset = MessageHeaderDecoder.ENCODED_LENGTH + TrailerDecoder.digestEncodingOffset();
        return Integer.toUnsignedLong(buffer.getInt(offset, LITTLE_ENDIAN));
    }
}
