package org.naklab.faults.datagram;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Both directions of one receiving socket, with the filters of a {@link DatagramSeam} in between: data and setups come in, NAKs
 * and status messages go out. For endpoints that a caller makes by himself. Used by the endpoint's thread only.
 */
public final class ReceivingLanes {
    private final EndpointChannel inbound;
    private final EndpointChannel outbound;
    private final Socket socket;
    private final Inbound.Receipt receipt;

    ReceivingLanes(DatagramSeam seam, NanoClock clock, Socket socket) {
        inbound = new EndpointChannel(seam, Direction.INBOUND, clock);
        outbound = new EndpointChannel(seam, Direction.OUTBOUND, clock);
        this.socket = socket;
        receipt = socket::receive;
    }

    /** The next datagram's source, or null if there is nothing; the datagram lies before the buffer's position. */
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        HeldDatagram due = outbound.isIdle() ? null : outbound.takeDue();
        if (due != null && due.address() != null) {
            socket.sendTo(due.bytes(), due.address());
        }
        return Inbound.receive(inbound, buffer, receipt);
    }

    /** Sends a datagram unless it is lost or held; returns the bytes taken either way. */
    public int sendTo(ByteBuffer buffer, InetSocketAddress address) {
        if (outbound.isIdle() || outbound.passes(buffer, buffer.position(), buffer.remaining(), address)) {
            return socket.sendTo(buffer, address);
        }
        return buffer.remaining();
    }

    /** The endpoint's own socket. */
    public interface Socket {
        /** As {@link ReceivingLanes#receive}. */
        @Nullable
        InetSocketAddress receive(ByteBuffer buffer);

        /** As {@link ReceivingLanes#sendTo}. */
        int sendTo(ByteBuffer buffer, InetSocketAddress address);
    }
}
