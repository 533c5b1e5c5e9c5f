package org.naklab.lab.terminal.network;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.terminal.Converters;
import org.naklab.messaging.MulticastProbe;
import org.naklab.messaging.TopicChannels;
import picocli.CommandLine.Option;

/** The options of the multicast network. */
public final class NetworkOptions implements AutoCloseable {
    /** Routers do not pass it on. */
    private static final int LINK_LOCAL_TTL = 1;

    @Option(
            names = "--port",
            paramLabel = "P",
            converter = Converters.Port.class,
            description = "UDP port of OrderBookEvents; snapshots use the next one (default: two free ports).")
    private @Nullable Integer port;

    @Option(
            names = "--interface",
            paramLabel = "IF",
            description = "Name or address of the interface. By default multicast stays on loopback with TTL 0 and "
                    + "cannot leave the machine; on any other interface it is sent to that network with TTL 1.")
    private @Nullable String networkInterface;

    private @Nullable PortLock lock;

    public boolean isInterfaceGiven() {
        return networkInterface != null;
    }

    /**
     * Channels that have been seen to work. Their ports are locked until {@link #close()}, or until the next call finds others.
     *
     * @throws org.naklab.lab.core.UnavailableException when another run or program has the port
     */
    public TopicChannels channels() {
        int base = lockPorts().basePort();
        TopicChannels channels = networkInterface == null
                ? TopicChannels.onLoopback(base)
                : new TopicChannels(
                        NetworkInterfaces.address(networkInterface),
                        NetworkInterfaces.isLoopback(networkInterface) ? 0 : LINK_LOCAL_TTL,
                        base);
        MulticastProbe.check(channels);
        return channels;
    }

    private PortLock lockPorts() {
        if (lock != null && port != null) {
            lock.requireUnbound();
            return lock;
        }
        close();
        PortLock taken = port == null ? PortLock.ofFreePorts() : PortLock.of(port);
        lock = taken;
        return taken;
    }

    /** Gives the ports back. */
    @Override
    public void close() {
        if (lock != null) {
            lock.close();
            lock = null;
        }
    }
}
