package org.naklab.lab.replica.customers;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.naklab.subscriber.clients.ClientServer;
import org.naklab.subscriber.clients.DayClock;

/**
 * Tells how a process serves customers, on the loopback device.
 *
 * @param maxClients that are connected at one time
 * @param storeBytes that are kept for those who read slowly or log in late
 * @param sendBufferBytes of the kernel for each client
 * @param sendIntervalNs messages are sent together so often at most; 0: as they come
 * @param datagramPort UDP port to which the datagrams of MoldUDP64 are sent; 0: none are sent
 */
public record ServingConfig(
        int maxClients, int storeBytes, int sendBufferBytes, long sendIntervalNs, int datagramPort) {
    /** The name of the session on the wire. */
    private static final String SESSION = "NAKLAB";

    /** Begins to serve. */
    public ClientServer launch(String process, DayClock clock) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return ClientServer.launch(
                new ClientServer.ClientSettings(
                        process,
                        SESSION,
                        loopback,
                        new ClientServer.ClientSettings.Limits(storeBytes, sendBufferBytes, maxClients, sendIntervalNs),
                        datagramPort == 0 ? null : new InetSocketAddress(loopback, datagramPort)),
                clock);
    }
}
