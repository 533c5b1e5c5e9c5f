package org.naklab.testcontainers;

import java.time.Duration;

/** Faults of one direction of a container's network. All but the partition are faults of UDP over IPv4, multicast included. */
public final class DirectedFaults {
    private final org.naklab.lab.containers.faults.network.DirectedFaults faults;

    DirectedFaults(org.naklab.lab.containers.faults.network.DirectedFaults faults) {
        this.faults = faults;
    }

    /**
     * Returns the same faults with the random choices of a seed. Without one, all but {@link #loss(double)} have those of seed 42.
     *
     * @param seed the same makes the same choices about the same traffic
     */
    public DirectedFaults withSeed(long seed) {
        return new DirectedFaults(faults.withSeed(seed));
    }

    /**
     * Drops some datagrams.
     *
     * <p>With {@link #withSeed(long)}, the same seed drops the same datagrams of the same traffic, in every run and on every machine. A datagram is
     * known by its number, from 1, among those to the same port since the fault was armed; multicast groups are counted for themselves. Datagrams
     * to other ports change nothing, nor does time. A relay drops them: it delays the others (by 30 to 75 µs at up to 20,000 datagrams per second, see
     * docs/reference/container-faults.md), and its direction can have no other fault of a relay meanwhile. {@link InjectedFault#firings()}
     * names the first that were dropped.
     *
     * <p>Without a seed, the kernel draws random numbers, other ones each time. It costs next to nothing at any rate: use it for load.
     *
     * @param percent of the datagrams, 0 to 100
     */
    public InjectedFault loss(double percent) {
        return InjectedFault.arm(() -> faults.loss(percent));
    }

    /**
     * Delays every datagram.
     *
     * @param delay of each, at most 10 s
     */
    public InjectedFault delay(Duration delay) {
        return InjectedFault.arm(() -> faults.delay(delay));
    }

    /**
     * Duplicates some datagrams.
     *
     * @param percent of the datagrams, 0 to 100
     */
    public InjectedFault duplication(double percent) {
        return InjectedFault.arm(() -> faults.duplication(percent));
    }

    /**
     * Holds some datagrams back until later ones have overtaken them.
     *
     * @param percent of the datagrams, 0 to 100
     * @param hold how long they are held back, at most 10 s
     */
    public InjectedFault reordering(double percent, Duration hold) {
        return InjectedFault.arm(() -> faults.reordering(percent, hold));
    }

    /**
     * Flips a bit of some datagrams; the kernel that receives them counts and drops them.
     *
     * @param percent of the datagrams, 0 to 100
     */
    public InjectedFault corruption(double percent) {
        return InjectedFault.arm(() -> faults.corruption(percent));
    }

    /** Drops all traffic of this direction, of any protocol. */
    public InjectedFault partition() {
        return InjectedFault.arm(() -> faults.partition());
    }
}
