package org.naklab.messaging.publication;

import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/** Tells where a publication's messages go; what stands between {@link RateController} and Aeron. */
public interface DatagramSink {
    /** SENT, BACK_PRESSURED, NOT_CONNECTED or CLOSED. */
    SendResult send(DirectBuffer buffer, int offset, int length);

    boolean isConnected();

    /** Bytes that a message takes in its datagram: Aeron's header, and padding to a multiple of 32. */
    static int wireBytes(int length) {
        return BitUtil.align(length + DataHeaderFlyweight.HEADER_LENGTH, DataHeaderFlyweight.HEADER_LENGTH);
    }
}
