package org.naklab.messaging.guard;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_DATA;
import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_PAD;
import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_RTTM;
import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_SETUP;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells whether a datagram holds what a sender of Aeron's could have sent to a data address: data frames one behind the other,
 * a setup, or a measurement of the round trip. It reads no byte outside of the length given. Allocates nothing.
 */
final class Frames {
    // Aeron keeps these offsets of its flyweights to itself.
    static final int TERM_OFFSET_IN_SETUP = 8;
    static final int SESSION_ID_IN_SETUP = 12;
    static final int STREAM_ID_IN_SETUP = 16;
    static final int INITIAL_TERM_ID_IN_SETUP = 20;
    static final int ACTIVE_TERM_ID_IN_SETUP = 24;
    static final int TERM_BYTES_IN_SETUP = 28;
    static final int MTU_BYTES_IN_SETUP = 32;
    static final int SESSION_ID_IN_RTT = 8;
    static final int STREAM_ID_IN_RTT = 12;

    private static final int HEADER_BYTES = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int MAX_UDP_PAYLOAD_BYTES = 65_504;
    private static final int WHOLE_MESSAGE = DataHeaderFlyweight.BEGIN_AND_END_FLAGS;

    private Frames() {}

    /** The first frame's type, or -1 when the datagram is none of Aeron's. */
    static int soundType(UnsafeBuffer buffer, int length, int maxTermBytes) {
        if (length < HeaderFlyweight.MIN_HEADER_LENGTH
                || FrameDescriptor.frameVersion(buffer, 0) != HeaderFlyweight.CURRENT_VERSION) {
            return -1;
        }
        int type = FrameDescriptor.frameType(buffer, 0);
        boolean isSound =
                switch (type) {
                    case HDR_TYPE_DATA, HDR_TYPE_PAD -> isData(buffer, length, maxTermBytes);
                    case HDR_TYPE_SETUP -> isSetup(buffer, length, maxTermBytes);
                    case HDR_TYPE_RTTM -> length >= RttMeasurementFlyweight.HEADER_LENGTH;
                    default -> false;
                };
        return isSound ? type : -1;
    }

    /** Returns whether the data frame carries no message: it tells only where its sender is. */
    static boolean isHeartbeat(UnsafeBuffer buffer, int length) {
        return length == HEADER_BYTES && intAt(buffer, 0) == 0;
    }

    static int intAt(UnsafeBuffer buffer, int offset) {
        return buffer.getInt(offset, LITTLE_ENDIAN);
    }

    private static boolean isData(UnsafeBuffer buffer, int length, int maxTermBytes) {
        if (length < HEADER_BYTES || length % FRAME_ALIGNMENT != 0) {
            return false;
        }
        int termOffset = DataHeaderFlyweight.termOffset(buffer, 0);
        if (termOffset < 0 || termOffset % FRAME_ALIGNMENT != 0 || termOffset > maxTermBytes) {
            return false;
        }
        if (isHeartbeat(buffer, length)) {
            return FrameDescriptor.frameType(buffer, 0) == HDR_TYPE_DATA;
        }
        int offset = 0;
        while (offset < length) {
            int next = nextFrame(buffer, offset, length, maxTermBytes);
            if (next < 0) {
                return false;
            }
            offset = next;
        }
        return true;
    }

    /** Where the frame behind the one at {@code offset} begins, or -1 when that one cannot be there. */
    private static int nextFrame(UnsafeBuffer buffer, int offset, int length, int maxTermBytes) {
        int frameBytes = intAt(buffer, offset);
        int type = FrameDescriptor.frameType(buffer, offset);
        boolean isPadding = type == HDR_TYPE_PAD;
        if (frameBytes < HEADER_BYTES
                || !(isPadding || type == HDR_TYPE_DATA)
                || FrameDescriptor.frameVersion(buffer, offset) != HeaderFlyweight.CURRENT_VERSION
                || !continues(buffer, offset)) {
            return -1;
        }
        if (isPadding) {
            // Only its header travels, and nothing of its term comes behind it.
            return frameBytes <= maxTermBytes && offset + HEADER_BYTES == length ? length : -1;
        }
        boolean isWhole = (FrameDescriptor.frameFlags(buffer, offset) & WHOLE_MESSAGE) == WHOLE_MESSAGE;
        return isWhole && frameBytes <= length - offset ? offset + BitUtil.align(frameBytes, FRAME_ALIGNMENT) : -1;
    }

    private static boolean continues(UnsafeBuffer buffer, int offset) {
        return DataHeaderFlyweight.termOffset(buffer, offset) == DataHeaderFlyweight.termOffset(buffer, 0) + offset
                && DataHeaderFlyweight.termId(buffer, offset) == DataHeaderFlyweight.termId(buffer, 0)
                && DataHeaderFlyweight.sessionId(buffer, offset) == DataHeaderFlyweight.sessionId(buffer, 0)
                && DataHeaderFlyweight.streamId(buffer, offset) == DataHeaderFlyweight.streamId(buffer, 0);
    }

    private static boolean isSetup(UnsafeBuffer buffer, int length, int maxTermBytes) {
        if (length < SetupFlyweight.HEADER_LENGTH) {
            return false;
        }
        int termBytes = intAt(buffer, TERM_BYTES_IN_SETUP);
        int termOffset = intAt(buffer, TERM_OFFSET_IN_SETUP);
        int mtuBytes = intAt(buffer, MTU_BYTES_IN_SETUP);
        return termBytes >= LogBufferDescriptor.TERM_MIN_LENGTH
                && termBytes <= maxTermBytes
                && BitUtil.isPowerOfTwo(termBytes)
                && termOffset >= 0
                && termOffset <= termBytes
                && termOffset % FRAME_ALIGNMENT == 0
                && intAt(buffer, ACTIVE_TERM_ID_IN_SETUP) - intAt(buffer, INITIAL_TERM_ID_IN_SETUP) >= 0
                && mtuBytes > HEADER_BYTES
                && mtuBytes <= MAX_UDP_PAYLOAD_BYTES
                && mtuBytes % FRAME_ALIGNMENT == 0;
    }
}
