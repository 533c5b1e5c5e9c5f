package org.naklab.messaging;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/** Looks for UDP ports that no process has bound. Another process may still take them before they are used. */
public final class Ports {
    private static final int MAX_ATTEMPTS = 100;
    private static final int MAX_PORT = 65_535;

    /**
     * A base port for {@link TopicChannels}: it and the next one are free.
     *
     * @throws MessagingException when none is found
     */
    public static int findFreeBase() {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int port = ephemeralPort();
            if (port < MAX_PORT && isFree(port) && isFree(port + 1)) {
                return port;
            }
        }
        throw new MessagingException("found no two free UDP ports side by side in " + MAX_ATTEMPTS + " attempts");
    }

    /**
     * Checks the ports of {@link TopicChannels}.
     *
     * @throws MessagingException naming the port that is in use
     */
    public static void requireFree(int basePort) {
        for (Topic topic : Topic.values()) {
            int port = TopicChannels.onLoopback(basePort).port(topic);
            if (!isFree(port)) {
                throw new MessagingException("UDP port " + port + " for " + topic.label()
                        + " is in use by another process; choose another base port");
            }
        }
    }

    /** Multicast sockets share ports by SO_REUSEADDR; a socket without it is refused a port that anybody has. */
    private static boolean isFree(int port) {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException e) {
            // That is the answer, not a failure.
            return false;
        }
    }

    private static int ephemeralPort() {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(0));
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new MessagingException("cannot open a UDP socket: " + e.getMessage(), e);
        }
    }

    private Ports() {}
}
