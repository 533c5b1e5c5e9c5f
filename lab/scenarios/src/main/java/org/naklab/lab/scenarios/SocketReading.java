package org.naklab.lab.scenarios;

import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.SocketDrops;

/**
 * The observed state of one UDP socket.
 *
 * @param process that owns it; {@code "?"} when it was gone before it could be asked
 * @param maxDepthBytes deepest receive queue seen, by the kernel's accounting
 * @param reasons datagrams dropped while it was watched, as far as the kernel's reasons are known
 * @param headroom how long its buffer lasts, and how long its reader stood still, the warm-up included
 */
public record SocketReading(
        String process, String localAddress, int port, long maxDepthBytes, SocketDrops reasons, Headroom headroom) {
    /** Creates the reading of a socket of unknown headroom, of whose drops no other reason is known than that it was full. */
    public SocketReading(String process, String localAddress, int port, long maxDepthBytes, long drops) {
        this(process, localAddress, port, maxDepthBytes, new SocketDrops(drops, 0), Headroom.NONE);
    }

    /** Returns the datagrams dropped while it was watched. */
    public long drops() {
        return reasons.all();
    }
}
