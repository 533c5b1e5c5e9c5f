package org.naklab.lab.bench.simulation;

/**
 * The times of the machines and of the network between them.
 *
 * @param delayNs from a send to its arrival
 * @param cycleNs a process notices an arrival, or a timer, up to this time later: its thread sleeps when it has nothing to do
 * @param sendNs of the sender's thread for one datagram
 * @param receiveNs of a receiver's thread for one datagram
 * @param nakNs of the sender's thread for one NAK
 */
public record GroupNetwork(long delayNs, long cycleNs, long sendNs, long receiveNs, long nakNs) {
    /** Processes that sleep 200 µs at most, as the lab's do; the other times as measured on two cores by the bench. */
    public static final GroupNetwork DEFAULT = new GroupNetwork(20_000, 200_000, 3_000, 2_000, 2_000);

    /** Returns the same with another time of a receiver for one datagram, ns. */
    public GroupNetwork withReceiveNs(long ns) {
        return new GroupNetwork(delayNs, cycleNs, sendNs, ns, nakNs);
    }
}
