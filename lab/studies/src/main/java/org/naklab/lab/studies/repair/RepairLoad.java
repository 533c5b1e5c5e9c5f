package org.naklab.lab.studies.repair;

import org.naklab.lab.core.Units;
import org.naklab.lab.studies.simulation.GroupLoad;
import org.naklab.messaging.publication.DatagramSink;

/**
 * Tells what a group of real receivers gets, and what goes wrong.
 *
 * @param receivers in the group, each with a thread of its own
 * @param datagramsPerSecond of the feed
 * @param durationNs of the feed
 * @param lossProbability of each datagram at each receiver
 * @param stallNs how long the last receiver's thread stalls; 0: it does not
 * @param stallEveryNs from one stall to the next
 * @param receiveBufferBytes SO_RCVBUF; 0: the profile's
 */
public record RepairLoad(
        int receivers,
        long datagramsPerSecond,
        long durationNs,
        double lossProbability,
        long stallNs,
        long stallEveryNs,
        int receiveBufferBytes) {
    /** The size of the published measurement. */
    static final int PAYLOAD_BYTES = 224;

    static final int DATAGRAM_BYTES = DatagramSink.wireBytes(PAYLOAD_BYTES);

    int datagrams() {
        return Math.toIntExact(Math.round(durationNs / Units.NS_PER_S * datagramsPerSecond));
    }

    /** Returns the same group for the simulation. */
    GroupLoad simulated(long readNs) {
        return new GroupLoad(
                new GroupLoad.Traffic(
                        receivers,
                        datagramsPerSecond,
                        DATAGRAM_BYTES,
                        GroupLoad.memoryBytes(DATAGRAM_BYTES),
                        durationNs),
                new GroupLoad.Loss(lossProbability, 0, 1, 1),
                new GroupLoad.Slow(stallNs > 0 ? 1 : 0, stallNs, stallEveryNs, readNs));
    }
}
