package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.kernel.datagrams.DatagramFlow;

/** Tells what became of UDP datagrams in the kernel, on the whole machine. */
public sealed interface DatagramRecord extends KernelRecord {
    /** Returns which datagrams. */
    DatagramFlow flow();

    /**
     * Counts datagrams, or fragments of such, that the kernel dropped for one reason at one place within a short time.
     *
     * @param beginNs of the first, ns
     * @param endNs of the last, ns
     * @param count datagrams or fragments; a datagram for several sockets counts once for each that lost it
     * @param reason the kernel's, such as {@code SOCKET_RCVBUFF} or {@code UDP_CSUM}
     * @param location function of the kernel that dropped them; empty if unknown
     * @param inode of the socket that should have received them; 0 if there was none yet, or before Linux 6.11
     */
    record Drops(long beginNs, long endNs, long count, String reason, String location, long inode, DatagramFlow flow)
            implements DatagramRecord {
        @Override
        @JsonIgnore
        public long timeNs() {
            return endNs;
        }
    }

    /**
     * Counts the datagrams for the watched port that have come in from one sender since the recording began, whether or not a socket received them.
     *
     * @param timeNs of the reading, ns
     * @param count datagrams or fragments
     * @param bytes with IP and UDP headers
     * @param firstNs arrival of the first, ns
     * @param lastNs arrival of the last, ns
     */
    record Arrivals(long timeNs, long count, long bytes, long firstNs, long lastNs, DatagramFlow flow)
            implements DatagramRecord {}

    /**
     * A time of at least 20 ms in which no datagram of a sender came in.
     *
     * @param beginNs the last arrival before, ns
     * @param endNs the first arrival after, ns
     */
    record Gap(long beginNs, long endNs, DatagramFlow flow) implements DatagramRecord {
        @Override
        @JsonIgnore
        public long timeNs() {
            return endNs;
        }

        /** Returns the time without arrivals. */
        public Interval interval() {
            return new Interval(beginNs, endNs);
        }
    }
}
