package org.naklab.messaging;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.guard.ReceiveLink;

/** Drops datagrams of data that come in, retransmissions too. */
final class LossyLinks implements ReceiveLink.Factory {
    final AtomicInteger dropped = new AtomicInteger();
    private final LongPredicate shouldDrop;
    private long datagrams;

    /** @param shouldDrop told the datagram's number, from 0 */
    private LossyLinks(LongPredicate shouldDrop) {
        this.shouldDrop = shouldDrop;
    }

    /** Drops a seeded share. */
    static LossyLinks random(long seed, double probability) {
        SplittableRandom random = new SplittableRandom(seed);
        return new LossyLinks(datagram -> random.nextDouble() < probability);
    }

    /** Drops some datagrams in a row. */
    static LossyLinks burst(long from, long to) {
        return new LossyLinks(datagram -> datagram >= from && datagram < to);
    }

    @Override
    public ReceiveLink newLink(ReceiveLink.Socket socket) {
        return new ReceiveLink() {
            @Override
            public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
                InetSocketAddress source = socket.receive(buffer);
                while (source != null && isData(buffer) && shouldDrop.test(datagrams++)) {
                    dropped.incrementAndGet();
                    source = socket.receive(buffer);
                }
                return source;
            }

            @Override
            public int sendTo(ByteBuffer buffer, InetSocketAddress address) {
                return socket.sendTo(buffer, address);
            }
        };
    }

    private static boolean isData(ByteBuffer datagram) {
        UnsafeBuffer buffer = new UnsafeBuffer(datagram);
        return FrameDescriptor.frameType(buffer, 0) == HeaderFlyweight.HDR_TYPE_DATA
                && !DataHeaderFlyweight.isHeartbeat(buffer, datagram.position());
    }
}
