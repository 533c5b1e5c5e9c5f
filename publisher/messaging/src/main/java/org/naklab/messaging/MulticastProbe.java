package org.naklab.messaging;

import io.aeron.driver.media.UdpChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** Finds out whether the topics' groups can be reached, by sending a datagram to each and waiting for it. */
public final class MulticastProbe {
    private static final long TIMEOUT_MS = 1_000;

    /**
     * Sends and receives one datagram for each topic, on its group and interface but a port of its own.
     *
     * @throws MessagingException in one line, when the interface is unknown or the datagram does not come back in a second
     */
    public static void check(TopicChannels channels) {
        for (Topic topic : Topic.values()) {
            UdpChannel udpChannel = parse(channels, topic);
            try {
                requireEcho(udpChannel);
            } catch (IOException e) {
                throw new MessagingException(
                        "no multicast for " + topic.label() + " on interface "
                                + labelled(channels.networkInterface()) + ": "
                                + e.getMessage(),
                        e);
            }
        }
    }

    private static UdpChannel parse(TopicChannels channels, Topic topic) {
        try {
            return UdpChannel.parse(channels.uri(topic));
        } catch (RuntimeException e) {
            throw new MessagingException(
                    "no multicast: interface " + labelled(channels.networkInterface())
                            + " is unknown, down or without multicast on this machine",
                    e);
        }
    }

    private static void requireEcho(UdpChannel udpChannel) throws IOException {
        InetAddress group = udpChannel.remoteData().getAddress();
        NetworkInterface networkInterface = udpChannel.localInterface();
        try (DatagramChannel receiver = DatagramChannel.open(StandardProtocolFamily.INET);
                DatagramChannel sender = DatagramChannel.open(StandardProtocolFamily.INET);
                Selector selector = Selector.open()) {
            receiver.bind(new InetSocketAddress(0));
            receiver.join(group, networkInterface);
            receiver.configureBlocking(false);
            receiver.register(selector, SelectionKey.OP_READ);
            sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, networkInterface);
            sender.setOption(StandardSocketOptions.IP_MULTICAST_TTL, udpChannel.multicastTtl());
            int port = ((InetSocketAddress) receiver.getLocalAddress()).getPort();
            sender.send(ByteBuffer.allocate(Long.BYTES), new InetSocketAddress(group, port));
            if (selector.select(TIMEOUT_MS) == 0) {
                throw new IOException(
                        "a datagram to " + group.getHostAddress() + " did not come back within " + TIMEOUT_MS + " ms");
            }
        }
    }

    /** The address with the name of its interface, which is what {@code ip link set up} wants. */
    private static String labelled(String address) {
        try {
            NetworkInterface networkInterface = NetworkInterface.getByInetAddress(InetAddress.getByName(address));
            return networkInterface == null ? address : networkInterface.getName() + " (" + address + ")";
        } catch (IOException e) {
            return address + " (" + e.getMessage() + ")";
        }
    }

    private MulticastProbe() {}
}
