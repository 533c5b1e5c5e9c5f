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
import java.util.function.LongPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/** Drops datagrams of data that come in, retransmissions too. */
final class LossyEndpoints implements ReceiveChannelEndpointSupplier {
    final AtomicInteger dropped = new AtomicInteger();
    private final LongPredicate shouldDrop;
    private long datagrams;

    /** @param shouldDrop told the datagram's number, from 0 */
    private LossyEndpoints(LongPredicate shouldDrop) {
        this.shouldDrop = shouldDrop;
    }

    /** Drops a seeded share. */
    static LossyEndpoints random(long seed, double probability) {
        SplittableRandom random = new SplittableRandom(seed);
        return new LossyEndpoints(datagram -> random.nextDouble() < probability);
    }

    /** Drops some datagrams in a row. */
    static LossyEndpoints burst(long from, long to) {
        return new LossyEndpoints(datagram -> datagram >= from && datagram < to);
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
                if (!isHeartbeat && shouldDrop.test(datagrams++)) {
                    dropped.incrementAndGet();
                    return 0;
                }
                return super.onDataPacket(header, buffer, length, srcAddress, transportIndex);
            }
        };
    }
}
