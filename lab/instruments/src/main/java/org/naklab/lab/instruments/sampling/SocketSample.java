package org.naklab.lab.instruments.sampling;

import java.util.List;

/**
 * A reading of a socket.
 *
 * @param timeNs when it was read
 * @param groups multicast groups that it has joined, as far as the source can tell
 * @param depthBytes receive memory in use by the kernel's accounting (a small datagram counts 832 bytes or so); what the
 *     kernel compares with the limit
 * @param limitBytes receive buffer by the same accounting (twice what SO_RCVBUF was set to); {@link #UNKNOWN} when the source
 *     does not say
 * @param txDepthBytes transmit memory in use
 * @param drops datagrams dropped at this socket since it was opened
 */
public record SocketSample(
        long timeNs,
        SocketIdentity identity,
        List<String> groups,
        long depthBytes,
        long limitBytes,
        long txDepthBytes,
        long drops) {
    /** A limit that the source cannot see. */
    public static final long UNKNOWN = -1;
}
