package org.naklab.faults.datagram;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.collections.Hashing;
import org.agrona.concurrent.UnsafeBuffer;

/** A datagram on its way through an endpoint. One object an endpoint, wrapped around each in turn. */
final class Datagram {
    // Aeron keeps these offsets of its flyweights to itself.
    private static final int MIN_BYTES = HeaderFlyweight.MIN_HEADER_LENGTH + 2 * Integer.BYTES;
    private static final int SESSION_ID_IN_SETUP = 12;
    private static final int STREAM_ID_IN_SETUP = 16;
    private static final int SESSION_ID_IN_CONTROL = 8;
    private static final int STREAM_ID_IN_CONTROL = 12;

    private final UnsafeBuffer buffer = new UnsafeBuffer();
    private final Direction direction;
    private Traffic traffic = Traffic.OTHER;

    Datagram(Direction direction) {
        this.direction = direction;
    }

    /** False if it is too short to be one of Aeron's. */
    boolean wrap(ByteBuffer bytes, int offset, int lengthBytes) {
        if (lengthBytes < MIN_BYTES) {
            return false;
        }
        buffer.wrap(bytes, offset, lengthBytes);
        traffic = Traffic.of(buffer, 0);
        return true;
    }

    Direction direction() {
        return direction;
    }

    Traffic traffic() {
        return traffic;
    }

    int lengthBytes() {
        return buffer.capacity();
    }

    int sessionId() {
        return switch (traffic) {
            case DATA, HEARTBEAT -> intAt(DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET);
            case SETUP -> intAt(SESSION_ID_IN_SETUP);
            default -> intAt(SESSION_ID_IN_CONTROL);
        };
    }

    int streamId() {
        return switch (traffic) {
            case DATA, HEARTBEAT -> intAt(DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET);
            case SETUP -> intAt(STREAM_ID_IN_SETUP);
            default -> intAt(STREAM_ID_IN_CONTROL);
        };
    }

    int termId() {
        return intAt(DataHeaderFlyweight.TERM_ID_FIELD_OFFSET);
    }

    int termOffset() {
        return intAt(DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET);
    }

    /** Returns a number that tells apart the places of data in all streams: what is sent again has that of the first time. */
    long place() {
        return Hashing.compoundKey(termId(), termOffset()) + Hashing.compoundKey(streamId(), sessionId());
    }

    String describe() {
        String where = traffic == Traffic.DATA || traffic == Traffic.HEARTBEAT
                ? " term " + termId() + " offset " + termOffset()
                : "";
        return direction + " " + traffic + " stream " + streamId() + " session " + sessionId() + where + ", "
                + lengthBytes() + " bytes";
    }

    private int intAt(int offset) {
        return offset + Integer.BYTES <= buffer.capacity() ? buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN) : 0;
    }
}
