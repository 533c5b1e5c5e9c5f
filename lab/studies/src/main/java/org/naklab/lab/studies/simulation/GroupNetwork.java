package org.naklab.lab.studies.simulation;

/**
 * The times of the machines and of the network between them.
 *
 * @param delayNs from a send to its arrival
 * @param sleeps of a thread that has nothing to do: it notices an arrival, or a timer, at the end of its sleep
 * @param sendNs of the sender's thread for one datagram
 * @param receiveNs of a receiver's thread for one datagram
 * @param nakNs of the sender's thread for one NAK
 */
public record GroupNetwork(long delayNs, SleepCycles sleeps, long sendNs, long receiveNs, long nakNs) {
    /** Processes that ask for 200 µs of sleep at most, as the lab's do, which takes 255 µs with the kernel's slack of timers. */
    public static final GroupNetwork DEFAULT = new GroupNetwork(20_000, 255_000, 3_000, 2_000, 2_000);

    private static final long LOOPBACK_DELAY_NS = 5_000;
    private static final long LOOPBACK_COPY_NS = 1_500;

    /** Creates a network whose threads sleep for one length of time, ns. */
    public GroupNetwork(long delayNs, long sleepNs, long sendNs, long receiveNs, long nakNs) {
        this(delayNs, SleepCycles.of(sleepNs), sendNs, receiveNs, nakNs);
    }

    /** Returns the times of a group on one machine's loopback, where the sender's call also puts the datagram into each socket. */
    public static GroupNetwork loopback(int receivers) {
        return loopback(receivers, DEFAULT.sleeps);
    }

    /** Returns the same with the sleeps of its threads as they were measured. */
    public static GroupNetwork loopback(int receivers, SleepCycles sleeps) {
        return new GroupNetwork(
                LOOPBACK_DELAY_NS,
                sleeps,
                DEFAULT.sendNs + receivers * LOOPBACK_COPY_NS,
                DEFAULT.receiveNs,
                DEFAULT.nakNs);
    }

    /** Returns the same with another time of a receiver for one datagram, ns. */
    public GroupNetwork withReceiveNs(long ns) {
        return new GroupNetwork(delayNs, sleeps, sendNs, ns, nakNs);
    }
}
