package org.naklab.messaging.guard;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/** A receiving endpoint that hands Aeron only what its guard admits, and counts in which order that came in. */
public final class GuardedReceiveChannelEndpoint extends ReceiveChannelEndpoint {
    private final FeedGuard guard;
    private final ArrivalOrder arrivals;
    private final ArrivalCounters counters;
    private final ReceiveLink link;
    /** Of the datagram in hand: Aeron asks its hook first, and then tells the frame's handler. */
    private boolean isAdmitted;

    public GuardedReceiveChannelEndpoint(
            UdpChannel udpChannel,
            DataPacketDispatcher dispatcher,
            AtomicCounter statusIndicator,
            MediaDriver.Context context,
            FeedGuard guard,
            ArrivalOrder arrivals,
            ReceiveLink.Factory links) {
        super(udpChannel, dispatcher, statusIndicator, context);
        this.guard = guard;
        this.arrivals = arrivals;
        counters = new ArrivalCounters(
                arrivals,
                context.countersManager(),
                guard.streamId(),
                udpChannel.remoteData().getPort());
        link = links.newLink(new OwnSocket());
    }

    @Override
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        return link.receive(buffer);
    }

    @Override
    public int sendTo(ByteBuffer buffer, InetSocketAddress remoteAddress) {
        return link.sendTo(buffer, remoteAddress);
    }

    /** Leaves the decision to {@link #receiveHook}, which knows the source as well. */
    @Override
    public boolean isValidFrame(UnsafeBuffer buffer, int length) {
        return true;
    }

    @Override
    public void receiveHook(UnsafeBuffer buffer, int length, InetSocketAddress address) {
        isAdmitted = guard.admits(buffer, length, address);
        super.receiveHook(buffer, length, address);
    }

    @Override
    public int onDataPacket(
            DataHeaderFlyweight header,
            UnsafeBuffer buffer,
            int length,
            InetSocketAddress srcAddress,
            int transportIndex) {
        if (!isAdmitted) {
            return 0;
        }
        arrivals.onData(buffer, length);
        counters.update();
        return super.onDataPacket(header, buffer, length, srcAddress, transportIndex);
    }

    @Override
    public void onSetupMessage(
            SetupFlyweight header, UnsafeBuffer buffer, int length, InetSocketAddress srcAddress, int transportIndex) {
        if (isAdmitted) {
            arrivals.onSetup(header.termLength(), header.initialTermId());
            super.onSetupMessage(header, buffer, length, srcAddress, transportIndex);
        }
    }

    @Override
    public void onRttMeasurement(
            RttMeasurementFlyweight header,
            UnsafeBuffer buffer,
            int length,
            InetSocketAddress srcAddress,
            int transportIndex) {
        if (isAdmitted) {
            super.onRttMeasurement(header, buffer, length, srcAddress, transportIndex);
        }
    }

    @Override
    public void close() {
        super.close();
        counters.close();
    }

    private final class OwnSocket implements ReceiveLink.Socket {
        @Override
        public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
            return GuardedReceiveChannelEndpoint.super.receive(buffer);
        }

        @Override
        public int sendTo(ByteBuffer buffer, InetSocketAddress address) {
            return GuardedReceiveChannelEndpoint.super.sendTo(buffer, address);
        }
    }
}
