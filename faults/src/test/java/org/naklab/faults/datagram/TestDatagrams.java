package org.naklab.faults.datagram;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import java.nio.ByteBuffer;

/** Datagrams without a network. */
final class TestDatagrams {
    private static final int LENGTH_BYTES = 64;

    private TestDatagrams() {}

    static ByteBuffer dataBytes(int termOffset) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH_BYTES);
        DataHeaderFlyweight header = new DataHeaderFlyweight(bytes);
        header.sessionId(1).streamId(2).termId(3).termOffset(termOffset);
        header.headerType(HeaderFlyweight.HDR_TYPE_DATA).frameLength(LENGTH_BYTES);
        return bytes;
    }

    static Datagram data(int termOffset) {
        Datagram datagram = new Datagram(Direction.INBOUND);
        datagram.wrap(dataBytes(termOffset), 0, LENGTH_BYTES);
        return datagram;
    }
}
