package org.naklab.lab.instruments.sockets;

import java.util.List;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sampling.SocketSample;

/**
 * The readings of a socket over a whole watch.
 *
 * @param maxDepthBytes deepest sample
 * @param maxDepthNs when that was
 * @param depthBytes latest sample
 * @param limitBytes receive buffer by the kernel's accounting, or {@link SocketSample#UNKNOWN}
 * @param drops datagrams dropped since the watch began
 * @param headroom how long the buffer lasts, and how long the reader stood still
 */
public record SocketSummary(
        SocketIdentity identity,
        List<String> groups,
        long maxDepthBytes,
        long maxDepthNs,
        long depthBytes,
        long limitBytes,
        long drops,
        Headroom headroom) {}
