package org.naklab.faults.datagram;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/** A subscriber's endpoint: data and setups come in, NAKs and status messages go out. */
final class FaultyReceiveChannelEndpoint extends ReceiveChannelEndpoint {
    private final Lane inbound;
    private final Lane outbound;

    FaultyReceiveChannelEndpoint(
            UdpChannel udpChannel,
            DataPacketDispatcher dispatcher,
            AtomicCounter statusIndicator,
            MediaDriver.Context context,
            DatagramSeam seam) {
        super(udpChannel, dispatcher, statusIndicator, context);
        inbound = new Lane(seam, Direction.INBOUND, context.nanoClock());
        outbound = new Lane(seam, Direction.OUTBOUND, context.nanoClock());
    }

    @Override
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        HeldDatagram due = outbound.isIdle() ? null : outbound.takeDue();
        if (due != null && due.address() != null) {
            super.sendTo(due.bytes(), due.address());
        }
        return Inbound.receive(inbound, buffer, super::receive);
    }

    @Override
    public int sendTo(ByteBuffer buffer, InetSocketAddress remoteAddress) {
        if (outbound.isIdle() || outbound.passes(buffer, buffer.position(), buffer.remaining(), remoteAddress)) {
            return super.sendTo(buffer, remoteAddress);
        }
        return buffer.remaining();
    }
}
