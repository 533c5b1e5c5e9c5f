package org.naklab.lab.containers.faults.network;

import java.time.Duration;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;

/** Faults of the UDP datagrams of one direction at one container. */
public final class DirectedFaults {
    /** Default seed: every run makes the same choices. */
    static final long SEED = 42;

    /** Describes the parameter by which a plan chooses the direction. */
    static final FaultParameter DIRECTION = FaultParameter.of(
                    "direction", ParameterType.TEXT, "incoming or outgoing, as the container sees it")
            .orElse("incoming");

    private final String container;
    private final Direction direction;
    private final long seed;

    DirectedFaults(String container, Direction direction) {
        this(container, direction, SEED);
    }

    private DirectedFaults(String container, Direction direction, long seed) {
        this.container = container;
        this.direction = direction;
        this.seed = seed;
    }

    /** Returns the same faults with other random choices; those of {@link #loss} are made by the kernel and have no seed. */
    public DirectedFaults withSeed(long newSeed) {
        return new DirectedFaults(container, direction, newSeed);
    }

    /**
     * Drops some datagrams.
     *
     * @param percent that disappear, 0 to 100
     */
    public ContainerFault loss(double percent) {
        return new Loss(container, direction, percent);
    }

    /**
     * Delays every datagram.
     *
     * @param delay of each, at most 10 s
     */
    public ContainerFault delay(Duration delay) {
        return new Delay(container, direction, delay, seed);
    }

    /**
     * Duplicates some datagrams.
     *
     * @param percent that come twice, 0 to 100
     */
    public ContainerFault duplication(double percent) {
        return new Duplication(container, direction, percent, seed);
    }

    /**
     * Damages some datagrams; the kernel that receives them drops them.
     *
     * @param percent with a bit flipped, 0 to 100
     */
    public ContainerFault corruption(double percent) {
        return new Corruption(container, direction, percent, seed);
    }

    /**
     * Holds some datagrams back until later ones have overtaken them.
     *
     * @param percent that are overtaken, 0 to 100
     * @param hold how long they are held back, at most 10 s
     */
    public ContainerFault reordering(double percent, Duration hold) {
        return new Reordering(container, direction, percent, hold, seed);
    }

    /** Drops all traffic of this direction, of any protocol, until closed. */
    public ContainerFault partition() {
        return new DirectedPartition(container, direction);
    }
}
