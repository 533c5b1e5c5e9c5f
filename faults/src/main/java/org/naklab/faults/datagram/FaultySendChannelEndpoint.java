package org.naklab.faults.datagram;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/** A publisher's endpoint: data and setups go out, NAKs and status messages come in. */
final class FaultySendChannelEndpoint extends SendChannelEndpoint {
    private final EndpointChannel inbound;
    private final EndpointChannel outbound;

    FaultySendChannelEndpoint(
            UdpChannel udpChannel, AtomicCounter statusIndicator, MediaDriver.Context context, DatagramSeam seam) {
        super(udpChannel, statusIndicator, context);
        inbound = new EndpointChannel(seam, Direction.INBOUND, context.nanoClock());
        outbound = new EndpointChannel(seam, Direction.OUTBOUND, context.nanoClock());
    }

    @Override
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        HeldDatagram due = outbound.isIdle() ? null : outbound.takeDue();
        if (due != null) {
            sendNow(due);
        }
        return Inbound.receive(inbound, buffer, super::receive);
    }

    private void sendNow(HeldDatagram due) {
        if (due.address() == null) {
            super.send(due.bytes());
        } else {
            super.send(due.bytes(), due.address());
        }
    }

    @Override
    public int send(ByteBuffer buffer) {
        if (outbound.isIdle() || outbound.passes(buffer, buffer.position(), buffer.remaining(), null)) {
            return super.send(buffer);
        }
        return buffer.remaining();
    }

    @Override
    public int send(ByteBuffer buffer, InetSocketAddress endpointAddress) {
        if (outbound.isIdle() || outbound.passes(buffer, buffer.position(), buffer.remaining(), endpointAddress)) {
            return super.send(buffer, endpointAddress);
        }
        return buffer.remaining();
    }
}
