package org.naklab.lab.instruments.sampling;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** UDP sockets on loopback for one test, closed with it. */
public final class TestSockets implements AutoCloseable {
    private final List<DatagramChannel> channels = new ArrayList<>();

    public DatagramChannel bound(ProtocolFamily family, String address) throws IOException {
        DatagramChannel channel = open(family);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 64 * 1024);
        channel.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        return channel;
    }

    /** A receiver bound to the wildcard address, which may share its port, and joined to a group. */
    public DatagramChannel member(String group, int port) throws IOException {
        DatagramChannel channel = open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.bind(new InetSocketAddress(port));
        channel.join(InetAddress.getByName(group), loopback());
        return channel;
    }

    public DatagramChannel multicastSender() throws IOException {
        DatagramChannel channel = open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback());
        channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 0);
        return channel;
    }

    static NetworkInterface loopback() throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
    }

    public static int port(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    public static void send(DatagramChannel from, InetSocketAddress to, int datagrams) throws IOException {
        ByteBuffer payload = ByteBuffer.allocate(100);
        for (int i = 0; i < datagrams; i++) {
            from.send(payload.clear(), to);
        }
    }

    private DatagramChannel open(ProtocolFamily family) throws IOException {
        DatagramChannel channel = DatagramChannel.open(family);
        channels.add(channel);
        return channel;
    }

    @Override
    public void close() throws IOException {
        for (DatagramChannel channel : channels) {
            channel.close();
        }
    }
}
