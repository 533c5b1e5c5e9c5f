package org.naklab.lab.scenarios;

import org.naklab.lab.core.Headroom;

/**
 * The observed state of one UDP socket.
 *
 * @param process that owns it; {@code "?"} when it was gone before it could be asked
 * @param maxDepthBytes deepest receive queue seen, by the kernel's accounting
 * @param drops datagrams dropped while it was watched
 * @param badChecksums of these, those with a bad checksum, as far as the kernel's reasons are known
 * @param farFromFull of these, those of an unknown reason: the socket was not seen more than half full
 * @param headroom how long its buffer lasts, and how long its reader stood still, the warm-up included
 */
public record SocketReading(
        String process,
        String localAddress,
        int port,
        long maxDepthBytes,
        long drops,
        long badChecksums,
        long farFromFull,
        Headroom headroom) {
    /** Creates the reading of a socket of unknown headroom, of whose drops no other reason is known than that it was full. */
    public SocketReading(String process, String localAddress, int port, long maxDepthBytes, long drops) {
        this(process, localAddress, port, maxDepthBytes, drops, 0, 0, Headroom.NONE);
    }
}
