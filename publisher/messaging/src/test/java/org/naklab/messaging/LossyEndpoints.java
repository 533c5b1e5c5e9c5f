package org.naklab.messaging;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/** Drops a seeded share of the data that comes in, retransmissions too. */
final class LossyEndpoints implements ReceiveChannelEndpointSupplier {
    final AtomicInteger dropped = new AtomicInteger();
    private final SplittableRandom random;
    private final double probability;

    LossyEndpoints(long seed, double probability) {
        this.random = new SplittableRandom(seed);
        this.probability = probability;
    }

    @Override
    public ReceiveChannelEndpoint newInstance(
            UdpChannel udpChannel,
            DataPacketDispatcher dispatcher,
            AtomicCounter statusIndicator,
            MediaDriver.Context context) {
        return new ReceiveChannelEndpoint(udpChannel, dispatcher, statusIndicator, context) {
            @Override
            public int onDataPacket(
                    DataHeaderFlyweight header,
                    UnsafeBuffer buffer,
                    int length,
                    InetSocketAddress srcAddress,
                    int transportIndex) {
                boolean isHeartbeat = DataHeaderFlyweight.isHeartbeat(buffer, length);
                if (!isHeartbeat && random.nextDouble() < probability) {
                    dropped.incrementAndGet();
                    return 0;
                }
                return super.onDataPacket(header, buffer, length, srcAddress, transportIndex);
            }
        };
    }
}
