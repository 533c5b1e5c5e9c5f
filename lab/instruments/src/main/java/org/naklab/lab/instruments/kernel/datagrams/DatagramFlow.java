package org.naklab.lab.instruments.kernel.datagrams;

/**
 * Identifies the datagrams from one port to another, in one network namespace.
 *
 * @param netns inode of the network namespace; 0 if unknown
 * @param source IPv4 or IPv6 address
 * @param sourcePort 0 for a later fragment, which has no UDP header
 * @param destination IPv4 or IPv6 address
 * @param port of the destination; 0 for a later fragment
 * @param fragment whether it is a part of a datagram
 */
public record DatagramFlow(long netns, String source, int sourcePort, String destination, int port, boolean fragment) {
    /** Returns address and port of the sender. */
    public String sender() {
        return (source.indexOf(':') < 0 ? source : '[' + source + ']') + ':' + sourcePort;
    }
}
