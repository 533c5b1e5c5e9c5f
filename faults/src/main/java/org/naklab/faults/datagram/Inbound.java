package org.naklab.faults.datagram;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Receiving through a lane, which is the same at both sorts of endpoint. */
final class Inbound {
    /** Datagrams that one call may lose before it gives the thread back. */
    private static final int MAX_LOST_AT_ONCE = 64;

    private Inbound() {}

    /** As UdpChannelTransport.receive(): the source, or null if there is nothing; the datagram lies before the position. */
    static @Nullable InetSocketAddress receive(EndpointChannel lane, ByteBuffer buffer, Receipt receipt) {
        if (lane.isIdle()) {
            return receipt.receive(buffer);
        }
        HeldDatagram due = lane.takeDue();
        if (due != null) {
            buffer.clear();
            buffer.put(due.bytes());
            return due.address();
        }
        for (int i = 0; i < MAX_LOST_AT_ONCE; i++) {
            InetSocketAddress source = receipt.receive(buffer);
            if (source == null || lane.passes(buffer, 0, buffer.position(), source)) {
                return source;
            }
        }
        return null;
    }

    /** The endpoint's own receive. */
    @FunctionalInterface
    interface Receipt {
        @Nullable
        InetSocketAddress receive(ByteBuffer buffer);
    }
}
