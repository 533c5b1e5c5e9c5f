package org.naklab.messaging;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.UnsafeBuffer;

/** Somebody else on the feed's group: hears what is sent there, and sends whatever it likes from a socket of its own. */
final class Outsider implements AutoCloseable {
    private static final int RESERVED = DataHeaderFlyweight.RESERVED_VALUE_OFFSET;

    private final InetSocketAddress group;
    private final DatagramChannel sender;
    private final DatagramChannel listener;

    Outsider(TopicChannels channels, Topic topic) {
        try {
            NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
            InetAddress address = InetAddress.getByName(channels.group(topic));
            group = new InetSocketAddress(address, channels.port(topic));
            sender = DatagramChannel.open(StandardProtocolFamily.INET);
            sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            sender.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 0);
            listener = DatagramChannel.open(StandardProtocolFamily.INET);
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(group);
            listener.join(address, loopback);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(byte[] datagram) {
        try {
            sender.send(ByteBuffer.wrap(datagram), group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next datagram with a message that somebody sends to the group. */
    byte[] hearData() {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        UnsafeBuffer frame = new UnsafeBuffer(buffer);
        try {
            do {
                buffer.clear();
                listener.receive(buffer);
            } while (buffer.position() <= DataHeaderFlyweight.HEADER_LENGTH
                    || type(frame) != HeaderFlyweight.HDR_TYPE_DATA);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] datagram = new byte[buffer.position()];
        buffer.flip().get(datagram);
        return datagram;
    }

    /** The feed's id as a data frame tells it. */
    static long feedId(byte[] dataFrame) {
        return DataHeaderFlyweight.reservedValue(new UnsafeBuffer(dataFrame), 0);
    }

    /** A frame in the same session and feed, some bytes ahead in the stream, with other contents. */
    static byte[] ahead(byte[] dataFrame, int bytes) {
        byte[] forged = new byte[64];
        UnsafeBuffer buffer = new UnsafeBuffer(forged);
        buffer.putBytes(0, dataFrame, 0, DataHeaderFlyweight.HEADER_LENGTH);
        DataHeaderFlyweight header = new DataHeaderFlyweight(buffer);
        header.frameLength(48);
        header.termOffset(header.termOffset() + bytes);
        return forged;
    }

    /** A whole message in a session of its own. */
    static byte[] data(Topic topic, int sessionId, long feedId) {
        byte[] forged = new byte[64];
        DataHeaderFlyweight header = new DataHeaderFlyweight(new UnsafeBuffer(forged));
        header.version(HeaderFlyweight.CURRENT_VERSION)
                .flags(DataHeaderFlyweight.BEGIN_AND_END_FLAGS)
                .headerType(HeaderFlyweight.HDR_TYPE_DATA)
                .frameLength(48);
        header.sessionId(sessionId).streamId(topic.streamId()).termId(0).termOffset(0);
        new UnsafeBuffer(forged).putLong(RESERVED, feedId);
        return forged;
    }

    static byte[] setup(Topic topic, int sessionId, int termBytes) {
        byte[] forged = new byte[SetupFlyweight.HEADER_LENGTH];
        SetupFlyweight setup = new SetupFlyweight(new UnsafeBuffer(forged));
        setup.version(HeaderFlyweight.CURRENT_VERSION)
                .headerType(HeaderFlyweight.HDR_TYPE_SETUP)
                .frameLength(SetupFlyweight.HEADER_LENGTH);
        setup.sessionId(sessionId)
                .streamId(topic.streamId())
                .initialTermId(0)
                .activeTermId(0)
                .termOffset(0)
                .termLength(termBytes)
                .mtuLength(TransportProfile.MTU_BYTES)
                .ttl(0);
        return forged;
    }

    private static int type(UnsafeBuffer frame) {
        return Short.toUnsignedInt(frame.getShort(HeaderFlyweight.TYPE_FIELD_OFFSET));
    }

    @Override
    public void close() {
        try (sender) {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
