package org.naklab.lab.studies.simulation;

import org.naklab.lab.core.Units;

/**
 * A group of receivers, the traffic that it gets, and what goes wrong.
 */
public record GroupLoad(Traffic traffic, Loss loss, Slow slow) {
    /**
     * Describes the stream and its receivers.
     *
     * @param receivers in the group
     * @param datagramsPerSecond of the feed
     * @param datagramBytes of one, headers of the transport included
     * @param memoryBytes that the kernel charges a socket's buffer for one
     * @param durationNs of the feed
     */
    public record Traffic(
            int receivers, long datagramsPerSecond, int datagramBytes, int memoryBytes, long durationNs) {}

    /**
     * Describes the losses on the way.
     *
     * @param lossProbability of each datagram at each receiver, retransmissions included
     * @param correlatedProbability of a datagram to begin a loss that all receivers behind one switch share
     * @param correlatedDatagrams lost in a row by such a loss
     * @param share of the receivers that are behind that switch, from 0 to 1
     */
    public record Loss(double lossProbability, double correlatedProbability, int correlatedDatagrams, double share) {}

    /**
     * Describes the receivers that stand still.
     *
     * @param slowReceivers receivers that stall
     * @param stallNs length of a stall
     * @param stallEveryNs from the beginning of one stall to that of the next; 0: there is one stall
     * @param slowServiceNs time of a slow receiver for one datagram
     */
    public record Slow(int slowReceivers, long stallNs, long stallEveryNs, long slowServiceNs) {}

    public GroupLoad {
        if (slow.slowReceivers() > traffic.receivers()) {
            throw new IllegalArgumentException("more slow receivers than receivers");
        }
    }

    private static final int SMALL_BYTES = 192;
    private static final int MEDIUM_BYTES = 704;

    /**
     * Returns what Linux charges a socket's buffer for a datagram, bytes: it allocates memory in few sizes. SO_RCVBUF counts twice.
     *
     * @param datagramBytes of its payload
     */
    public static int memoryBytes(int datagramBytes) {
        if (datagramBytes <= SMALL_BYTES) {
            return 832;
        }
        return datagramBytes <= MEDIUM_BYTES ? 1_280 : 2_304;
    }

    /** Returns the number of datagrams of the feed. */
    public int datagrams() {
        return Math.toIntExact(Math.round(traffic.durationNs() / Units.NS_PER_S * traffic.datagramsPerSecond()));
    }

    /** Returns the time from one datagram to the next, ns. */
    double intervalNs() {
        return 1e9 / traffic.datagramsPerSecond();
    }
}
