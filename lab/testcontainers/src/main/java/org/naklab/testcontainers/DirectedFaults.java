package org.naklab.testcontainers;

import java.time.Duration;

/** Faults of one direction of a container's network. All but the partition are faults of UDP over IPv4, multicast included. */
public final class DirectedFaults {
    private final org.naklab.lab.containers.faults.network.DirectedFaults faults;

    DirectedFaults(org.naklab.lab.containers.faults.network.DirectedFaults faults) {
        this.faults = faults;
    }

    /**
     * Returns the same faults with other random choices than those of seed 42.
     *
     * @param seed of all faults but {@link #loss(double)}, whose choices the kernel makes
     */
    public DirectedFaults withSeed(long seed) {
        return new DirectedFaults(faults.withSeed(seed));
    }

    /**
     * Drops some datagrams.
     *
     * @param percent of the datagrams, 0 to 100
     */
    public InjectedFault loss(double percent) {
        return new InjectedFault(faults.loss(percent));
    }

    /**
     * Delays every datagram.
     *
     * @param delay of each, at most 10 s
     */
    public InjectedFault delay(Duration delay) {
        return new InjectedFault(faults.delay(delay));
    }

    /**
     * Duplicates some datagrams.
     *
     * @param percent of the datagrams, 0 to 100
     */
    public InjectedFault duplication(double percent) {
        return new InjectedFault(faults.duplication(percent));
    }

    /**
     * Holds some datagrams back until later ones have overtaken them.
     *
     * @param percent of the datagrams, 0 to 100
     * @param hold how long they are held back, at most 10 s
     */
    public InjectedFault reordering(double percent, Duration hold) {
        return new InjectedFault(faults.reordering(percent, hold));
    }

    /**
     * Flips a bit of some datagrams; the kernel that receives them counts and drops them.
     *
     * @param percent of the datagrams, 0 to 100
     */
    public InjectedFault corruption(double percent) {
        return new InjectedFault(faults.corruption(percent));
    }

    /** Drops all traffic of this direction, of any protocol. */
    public InjectedFault partition() {
        return new InjectedFault(faults.partition());
    }
}
