package org.naklab.lab.replica.transport;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.ReceivingLanes;
import org.naklab.messaging.guard.ReceiveLink;

/** Puts the datagram faults between a receiving endpoint and its socket; the endpoint's guard sees what they let through. */
public final class FaultyLink implements ReceiveLink {
    private final ReceivingLanes lanes;

    private FaultyLink(ReceivingLanes lanes) {
        this.lanes = lanes;
    }

    public static ReceiveLink.Factory of(DatagramSeam seam, NanoClock clock) {
        return socket -> new FaultyLink(seam.receivingLanes(clock, new SocketOf(socket)));
    }

    @Override
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        return lanes.receive(buffer);
    }

    @Override
    public int sendTo(ByteBuffer buffer, InetSocketAddress address) {
        return lanes.sendTo(buffer, address);
    }

    private record SocketOf(ReceiveLink.Socket socket) implements ReceivingLanes.Socket {
        @Override
        public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
            return socket.receive(buffer);
        }

        @Override
        public int sendTo(ByteBuffer buffer, InetSocketAddress address) {
            return socket.sendTo(buffer, address);
        }
    }
}
