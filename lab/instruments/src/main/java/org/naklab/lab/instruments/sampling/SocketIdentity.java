package org.naklab.lab.instruments.sampling;

/**
 * Identifies a socket. Several sockets may share a group and port; the inode distinguishes them.
 *
 * @param inode of the socket file system, as in {@code /proc/PID/fd}
 * @param ipv6 family of the socket; an IPv6 socket may receive IPv4 as well
 * @param localAddress it is bound to, numeric; a multicast receiver is bound to its group or to the wildcard
 * @param localPort it is bound to
 */
public record SocketIdentity(long inode, boolean ipv6, String localAddress, int localPort) {
    /** Address and port as one writes them. */
    public String endpoint() {
        return (ipv6 ? '[' + localAddress + ']' : localAddress) + ':' + localPort;
    }
}
