package org.naklab.lab.core.timeline;

import org.jspecify.annotations.Nullable;

/** Reports what an instrument saw at a UDP socket of a process. */
public sealed interface SocketEvent extends TimelineEvent {
    Socket socket();

    default long inode() {
        return socket().inode();
    }

    default int port() {
        return socket().port();
    }

    /**
     * A socket.
     *
     * @param local address and port to which it is bound
     * @param groups that it has joined, with commas in between; empty without any
     */
    record Socket(long inode, String local, int port, String groups) {}

    /** The socket was found; {@code isBefore}: it was open when the watch began. */
    record Opened(long timeNs, String process, Socket socket, boolean isBefore) implements SocketEvent {}

    record Closed(long timeNs, String process, Socket socket) implements SocketEvent {}

    /**
     * The depth of the socket rose.
     *
     * @param timeNs when it began to rise
     * @param grownNs when it passed the limit of a rise; null: an earlier version did not tell
     * @param detectedNs when it was seen
     */
    record DepthRise(
            long timeNs,
            String process,
            Socket socket,
            long depthBytes,
            long limitBytes,
            @Nullable Long grownNs,
            long detectedNs)
            implements SocketEvent {
        /** Returns when it passed the limit of a rise; when it began to rise if that is unknown. */
        public long passedNs() {
            return grownNs == null ? timeNs : grownNs;
        }
    }

    /**
     * The socket was drained after a rise, or the watch ended.
     *
     * @param beganNs when it began to rise
     * @param depth how deep it was meanwhile
     * @param headroom null: not known
     */
    record Drained(
            long timeNs,
            String process,
            Socket socket,
            long beganNs,
            long durationNs,
            Depth depth,
            boolean isDrained,
            @Nullable Survival headroom)
            implements SocketEvent {
        @Override
        public Interval interval() {
            return new Interval(beganNs, timeNs);
        }
    }

    /** Tells how deep the socket was; {@code peakNs}: when it was deepest. */
    record Depth(long peakBytes, long peakNs, long limitBytes) {}

    /** Tells how long the buffer lasts, and how long nothing was read from it at most. */
    record Survival(double headroomMs, double longestStallMs) {}

    /**
     * The socket held datagrams, and nobody received one.
     *
     * @param startBytes what it held at the begin
     * @param longestGapNs longest time between two samples
     * @param isLasting whether it went on when the watch ended
     */
    record Unread(
            Interval interval,
            String process,
            Socket socket,
            long startBytes,
            long peakBytes,
            long longestGapNs,
            boolean isLasting)
            implements SocketEvent, Standstill {}

    /**
     * The socket dropped datagrams.
     *
     * @param timeNs when they began, as far as known
     * @param total since the socket was opened
     * @param detectedNs when they were seen
     * @param fill null: an earlier version did not tell
     */
    record Dropped(
            long timeNs,
            String process,
            Socket socket,
            long datagrams,
            long total,
            long detectedNs,
            @Nullable Fill fill)
            implements SocketEvent {
        @Override
        public long amount() {
            return datagrams;
        }

        /** Returns when the last of them was dropped at the latest. */
        public long seenNs() {
            return Math.max(timeNs, detectedNs);
        }
    }

    /**
     * Tells how deep the socket was since the drops before.
     *
     * @param longestGapNs longest time between two samples between which it dropped; null: an earlier version did not tell
     */
    record Fill(long peakBytes, long limitBytes, @Nullable Long longestGapNs) {}

    /** A time in which nobody received what had come in. */
    sealed interface Standstill extends TimelineEvent permits Unread, StreamEvent.Unpolled {
        long peakBytes();

        boolean isLasting();
    }
}
