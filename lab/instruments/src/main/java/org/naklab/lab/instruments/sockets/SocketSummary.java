package org.naklab.lab.instruments.sockets;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sampling.SocketSample;

/**
 * The readings of a socket over a whole watch.
 *
 * @param drops datagrams dropped since the watch began
 * @param headroom how long the buffer lasts, and how long the reader stood still
 * @param lastStall the last time in which the reader took nothing, which may go on; {@code null}: there was none of 5 ms or more
 * @param longestLatelyNs the longest such time of the last one to two minutes, ns; 0: there was none
 */
public record SocketSummary(
        SocketIdentity identity,
        List<String> groups,
        Depths depths,
        long drops,
        Headroom headroom,
        @Nullable Interval lastStall,
        long longestLatelyNs) {
    /**
     * Contains the depths of the queue.
     *
     * @param maxDepthBytes deepest sample
     * @param maxDepthNs when that was
     * @param depthBytes latest sample
     * @param limitBytes receive buffer by the kernel's accounting, or {@link SocketSample#UNKNOWN}
     */
    public record Depths(long maxDepthBytes, long maxDepthNs, long depthBytes, long limitBytes) {}

    /** Creates the summary of a socket whose reader never stood still. */
    public SocketSummary(
            SocketIdentity identity,
            List<String> groups,
            long maxDepthBytes,
            long maxDepthNs,
            long depthBytes,
            long limitBytes,
            long drops,
            Headroom headroom) {
        this(
                identity,
                groups,
                new SocketSummary.Depths(maxDepthBytes, maxDepthNs, depthBytes, limitBytes),
                drops,
                headroom,
                null,
                0);
    }
}
