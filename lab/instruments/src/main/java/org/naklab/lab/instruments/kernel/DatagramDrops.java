package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * Counts UDP datagrams, or fragments of such, that the kernel dropped for one reason within a short time, on the whole machine.
 *
 * @param beginNs of the first, ns
 * @param endNs of the last, ns
 * @param count datagrams or fragments; a datagram for several sockets counts once for each that lost it
 * @param reason the kernel's, such as {@code SOCKET_RCVBUFF} or {@code UDP_CSUM}
 * @param source IPv4 address
 * @param destination IPv4 address
 * @param port of the destination; 0 for a later fragment
 * @param netns inode of the network namespace; 0 if unknown
 */
public record DatagramDrops(
        long beginNs, long endNs, long count, String reason, String source, String destination, int port, long netns)
        implements KernelRecord {
    @Override
    @JsonIgnore
    public long timeNs() {
        return endNs;
    }
}
