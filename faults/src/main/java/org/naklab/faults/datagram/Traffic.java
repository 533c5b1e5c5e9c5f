package org.naklab.faults.datagram;

import static io.aeron.protocol.HeaderFlyweight.FRAME_LENGTH_FIELD_OFFSET;
import static io.aeron.protocol.HeaderFlyweight.TYPE_FIELD_OFFSET;

import io.aeron.protocol.HeaderFlyweight;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Tells what a datagram of Aeron's carries, by the type of its first frame. */
public enum Traffic {
    /** Messages, or the padding at a term's end; for the first time or again. */
    DATA,
    /** A data frame without a message, which tells receivers how far the stream has come. */
    HEARTBEAT,
    SETUP,
    NAK,
    STATUS,
    /** Round-trip measurements, errors and the like. */
    OTHER;

    static Traffic of(DirectBuffer buffer, int offset) {
        int type = buffer.getShort(offset + TYPE_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        return switch (type) {
            case HeaderFlyweight.HDR_TYPE_DATA ->
                buffer.getInt(offset + FRAME_LENGTH_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN) == 0 ? HEARTBEAT : DATA;
            case HeaderFlyweight.HDR_TYPE_PAD -> DATA;
            case HeaderFlyweight.HDR_TYPE_SETUP -> SETUP;
            case HeaderFlyweight.HDR_TYPE_NAK -> NAK;
            case HeaderFlyweight.HDR_TYPE_SM -> STATUS;
            default -> OTHER;
        };
    }
}
