package org.naklab.lab.instruments.kernel.datagrams;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Identifies a feed whose arriving datagrams are watched.
 *
 * @param destinations multicast addresses, or an address of the receiver, numeric; empty: the receiver takes datagrams for any address
 * @param port UDP port
 * @param sender name of the sending process on the timeline; empty if no observed process sends
 */
public record Feed(List<String> destinations, int port, String sender) {
    public Feed {
        destinations = List.copyOf(destinations);
    }

    /** Creates a feed of one multicast group. */
    public Feed(String group, int port, String sender) {
        this(List.of(group), port, sender);
    }

    boolean isTo(DatagramFlow flow) {
        return flow.port() == port && (destinations.isEmpty() || destinations.contains(flow.destination()));
    }

    /** Returns the first of its addresses; empty if it has none. */
    public String group() {
        return destinations.isEmpty() ? "" : destinations.get(0);
    }

    /** Returns whether many senders may come and go, as at a server: then only the silence of all of them together matters. */
    public boolean isUnicast() {
        return destinations.stream().noneMatch(Feed::isMulticast);
    }

    private static boolean isMulticast(String numeric) {
        try {
            return InetAddress.getByName(numeric).isMulticastAddress();
        } catch (UnknownHostException noAddress) {
            return false;
        }
    }
}
