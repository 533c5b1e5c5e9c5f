package org.naklab.lab.terminal.network;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.UnavailableException;
import org.naklab.messaging.MessagingException;
import org.naklab.messaging.Ports;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;

/**
 * The lock of a run's UDP ports. Multicast sockets share ports, and a socket that is bound to a port receives what any interface gets for
 * it, so the lock is one for each port, whatever the interface. It counts for all users of a network namespace, and ends with the process
 * that holds it. On a system other than Linux it locks nothing.
 */
public final class PortLock implements AutoCloseable {
    private static final int MAX_ATTEMPTS = 100;
    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");

    private final int basePort;
    private final List<AbstractSocket> sockets;

    private PortLock(int basePort, List<AbstractSocket> sockets) {
        this.basePort = basePort;
        this.sockets = sockets;
    }

    /**
     * Locks the ports behind a base port, and makes sure that no socket is bound to them.
     *
     * @throws UnavailableException when another run holds one of them, naming its process, or another program has bound one
     */
    public static PortLock of(int basePort) {
        PortLock lock = tryLock(basePort);
        if (lock == null) {
            throw new UnavailableException(refusal(basePort));
        }
        try {
            lock.requireUnbound();
        } catch (UnavailableException e) {
            lock.close();
            throw e;
        }
        return lock;
    }

    /**
     * Finds ports that nobody has bound or locked, and locks them.
     *
     * @throws UnavailableException when there are none
     */
    public static PortLock ofFreePorts() {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            PortLock lock = tryLock(Ports.findFreeBase());
            if (lock != null) {
                return lock;
            }
        }
        throw new UnavailableException(
                "other runs hold all of " + MAX_ATTEMPTS + " free UDP ports; select one with --port");
    }

    /**
     * Makes sure that no socket is bound to the locked ports.
     *
     * @throws UnavailableException when another program has bound one of them, or what is left of a killed run has
     */
    public void requireUnbound() {
        try {
            Ports.requireFree(basePort);
        } catch (MessagingException e) {
            throw new UnavailableException(String.valueOf(e.getMessage()), e);
        }
    }

    public int basePort() {
        return basePort;
    }

    @Override
    public void close() {
        sockets.forEach(AbstractSocket::close);
    }

    private static @Nullable PortLock tryLock(int basePort) {
        PortLock lock = new PortLock(basePort, new ArrayList<>());
        if (!IS_LINUX) {
            return lock;
        }
        for (int port : ports(basePort)) {
            AbstractSocket socket = AbstractSocket.bind(nameOf(port));
            if (socket == null) {
                lock.close();
                return null;
            }
            lock.sockets.add(socket);
        }
        return lock;
    }

    private static String refusal(int basePort) {
        for (int port : ports(basePort)) {
            OptionalLong holder = AbstractSocket.holder(nameOf(port));
            if (holder.isPresent()) {
                return "UDP port " + port + " is held by another run, process " + holder.getAsLong()
                        + userOf(holder.getAsLong()) + "; wait for its end or choose another --port";
            }
        }
        return "UDP port " + basePort
                + " or the next is held by another run; wait for its end or choose another --port";
    }

    private static String userOf(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().user())
                .map(user -> " of user " + user)
                .orElse("");
    }

    private static List<Integer> ports(int basePort) {
        TopicChannels channels = TopicChannels.onLoopback(basePort);
        return List.of(Topic.values()).stream().map(channels::port).toList();
    }

    private static String nameOf(int port) {
        return "naklab-udp-" + port;
    }
}
