package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reports what an instrument saw of datagrams on their way to the sockets, or for which time it looked there. */
public sealed interface DatagramEvent extends TimelineEvent {
    /** An event of datagrams for one port; 0: unknown. */
    sealed interface AtPort extends DatagramEvent {
        int port();
    }

    /** Addresses of sender and receiver. */
    record Flow(String source, String destination, int port) {}

    /**
     * The kernel discarded datagrams.
     */
    record Discarded(Interval interval, String process, Flow flow, long count, Place place, Packet packet)
            implements AtPort {
        /**
         * Tells where the kernel discarded them, and why.
         *
         * @param reason the kernel's word
         * @param location function of the kernel; empty if unknown
         * @param inode of the socket; 0 if it was not yet known, or there is none
         */
        public record Place(String reason, String location, long inode) {}

        /**
         * Tells what was discarded.
         *
         * @param isAtReceiver whether it was in the network namespace of a receiver
         * @param otherNamespace inode of the network namespace if it is neither a receiver's nor the lab's: on the sender's side of this host; null: it is
         */
        public record Packet(
                boolean isFragment,
                boolean isAtReceiver,
                @Nullable Long otherNamespace) {}

        /** The kernel gives no reason. */
        public static final String UNSPECIFIED = "NOT_SPECIFIED";

        /** The kernel's word for a bad checksum. */
        public static final String BAD_CHECKSUM = "UDP_CSUM";

        /** The kernel's word for a datagram beyond the memory that all UDP sockets of the host may use ({@code net.ipv4.udp_mem}). */
        public static final String NO_MEMORY = "PROTO_MEM";

        /** The kernel's word for a full socket, which counts the datagram as dropped itself. */
        public static final String FULL_SOCKET = "SOCKET_RCVBUFF";

        private static final String CLOSING_SOCKET = "udp_destruct_common";

        /** Reasons that accuse nobody: a socket counts what it dropped when it was full, a closing socket purges its queue. */
        private static final Set<String> NEUTRAL = Set.of(FULL_SOCKET, "QUEUE_PURGE");

        @Override
        public int port() {
            return flow.port();
        }

        /**
         * Returns whether nobody misses the datagrams, or the socket counts them. A bridge frees the copies that it does not forward, and the host
         * those of groups that it has not joined itself, without a reason.
         */
        public boolean isNeutral() {
            return NEUTRAL.contains(place.reason())
                    || (place.reason().equals(UNSPECIFIED)
                            && (!packet.isAtReceiver()
                                    || place.location().isEmpty()
                                    || place.location().equals(CLOSING_SOCKET)));
        }

        /** Returns whether datagrams were lost that no socket counts. */
        public boolean isBeforeSocket() {
            return !isNeutral()
                    && !place.reason().equals(BAD_CHECKSUM)
                    && !place.reason().equals(NO_MEMORY);
        }

        /** Returns where on this host it was, as the end of a sentence; empty if that is not on the sender's side. */
        public String side() {
            return packet.otherNamespace() == null
                    ? ""
                    : ", on the sender's side, in network namespace " + packet.otherNamespace();
        }

        /** Returns whether it was a fragment other than the first, which has no port. */
        public boolean isLaterFragment() {
            return packet.isFragment() && port() == 0;
        }
    }

    /** Datagrams for the feed's port came in that are not of the feed. */
    record Foreign(
            Interval interval, String process, Flow flow, boolean isToGroup, long count, long bytes, long peakPerSecond)
            implements AtPort {
        @Override
        public int port() {
            return flow.port();
        }
    }

    /**
     * A socket of another process, bound to the port of a unicast feed meanwhile, got datagrams.
     *
     * @param owner name and id of the process; empty if unknown
     */
    record Taken(Interval interval, String process, int port, long inode, String owner, long count) implements AtPort {
        /** Returns the process, in words. */
        public String taker() {
            return owner.isEmpty() ? "an unknown process" : owner;
        }
    }

    /**
     * A socket of another process is bound to the port of the feed.
     *
     * @param owner name and id of the process; empty if unknown
     */
    record PortShared(long timeNs, String process, int port, String address, long inode, String owner)
            implements AtPort {}

    /**
     * No datagram of the feed came in at any receiver for far longer than usual.
     *
     * @param process the sender's, or the host
     * @param sender null: not recorded
     */
    record Silence(
            Interval interval,
            String process,
            From from,
            Pace pace,
            @Nullable SenderAbsence sender) implements AtPort {
        /**
         * Names the stream.
         *
         * @param receivers names, with commas in between
         */
        public record From(String source, String group, int port, String receivers) {}

        /**
         * Compares the silence with the usual gap.
         *
         * @param isOpen whether it went on when the recording ended
         */
        public record Pace(long usualGapNs, boolean isOpen) {}

        @Override
        public int port() {
            return from.port();
        }
    }

    /** Tells what the sender's thread was for most of a silence, and for how much of it. */
    record SenderAbsence(String senderState, long senderAbsentNs, String senderThread) {}

    /**
     * No socket of the host was a member of the feed's group on an interface on which one had been.
     *
     * @param port at which the process receives; null if it was not looked at each port
     * @param isLasting whether it went on when the watch ended
     */
    record MembershipLost(
            Interval interval,
            String process,
            String group,
            @JsonProperty("interface") int interfaceIndex,
            @Nullable Integer port,
            boolean isLasting)
            implements DatagramEvent {
        /** Returns the same at one port. */
        public MembershipLost atPort(int number) {
            return new MembershipLost(interval, process, group, interfaceIndex, number, isLasting);
        }
    }

    /**
     * A place at which datagrams can go astray was looked at.
     *
     * @param port null if it was not looked at each port
     * @param longestGapNs longest time between two looks; null if unknown
     */
    record PlaceObserved(
            Interval interval,
            String process,
            String place,
            @Nullable Integer port,
            @Nullable Long longestGapNs) implements DatagramEvent {}

    /**
     * All longer absences and page faults of a process's threads were recorded.
     *
     * @param source of the records
     * @param hasArrivals whether the arrivals of the feed were recorded too
     * @param group of the feed; empty if there is none
     */
    record KernelRecorded(
            Interval interval,
            String process,
            String source,
            @JsonProperty("arrivals") boolean hasArrivals,
            String group,
            int port)
            implements AtPort {
        /** Returns the same as it is known of another port. */
        public KernelRecorded withoutArrivals() {
            return new KernelRecorded(interval, process, source, false, "", port);
        }
    }

    /** A counter of UDP, IP or backlog errors of a process's network namespace grew. */
    record ErrorsCounted(Interval interval, String process, String counter, long growth) implements DatagramEvent {}

    /**
     * The error counters of a process's network namespace were read.
     *
     * @param ended why they could no longer be read; null if they could until the end
     */
    record CountersRead(
            Interval interval, String process, @Nullable String ended) implements DatagramEvent {}

    /**
     * The rate rose far above the usual one.
     *
     * @param rate what was counted
     * @param arrivals in all; null: an earlier version did not tell
     */
    record Burst(
            Interval interval,
            String process,
            String rate,
            long peakPerSecond,
            long baselinePerSecond,
            @Nullable Long arrivals)
            implements DatagramEvent {}
}
