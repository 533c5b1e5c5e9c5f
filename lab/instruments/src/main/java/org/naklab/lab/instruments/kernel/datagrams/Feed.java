package org.naklab.lab.instruments.kernel.datagrams;

/**
 * Identifies a feed whose arriving datagrams are watched.
 *
 * @param group multicast address, numeric
 * @param port UDP port
 * @param sender name of the sending process on the timeline; empty if no observed process sends
 */
public record Feed(String group, int port, String sender) {
    boolean isTo(DatagramFlow flow) {
        return flow.port() == port && flow.destination().equals(group);
    }
}
