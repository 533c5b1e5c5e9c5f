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
    private final ReceivingLanes lanes;

    FaultyReceiveChannelEndpoint(
            UdpChannel udpChannel,
            DataPacketDispatcher dispatcher,
            AtomicCounter statusIndicator,
            MediaDriver.Context context,
            DatagramSeam seam) {
        super(udpChannel, dispatcher, statusIndicator, context);
        lanes = seam.receivingLanes(context.nanoClock(), new OwnSocket());
    }

    @Override
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        return lanes.receive(buffer);
    }

    @Override
    public int sendTo(ByteBuffer buffer, InetSocketAddress remoteAddress) {
        return lanes.sendTo(buffer, remoteAddress);
    }

    private final class OwnSocket implements ReceivingLanes.Socket {
        @Override
        public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
            return FaultyReceiveChannelEndpoint.super.receive(buffer);
        }

        @Override
        public int sendTo(ByteBuffer buffer, InetSocketAddress address) {
            return FaultyReceiveChannelEndpoint.super.sendTo(buffer, address);
        }
    }
}
