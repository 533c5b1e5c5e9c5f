package org.naklab.lab.containers.faults.network;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
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

    /** Describes the parameter of a plan that decides the random choices of a relay. */
    static final FaultParameter SEED_PARAMETER = FaultParameter.of("seed", ParameterType.COUNT, "of the random choices")
            .orElse(Long.toString(SEED));

    private final String container;
    private final Direction direction;
    /** {@code null} if none was asked for. */
    private final @Nullable Long askedSeed;

    private final long seed;

    DirectedFaults(String container, Direction direction) {
        this(container, direction, null);
    }

    private DirectedFaults(String container, Direction direction, @Nullable Long askedSeed) {
        this.container = container;
        this.direction = direction;
        this.askedSeed = askedSeed;
        seed = orUsual(askedSeed);
    }

    /** Returns the seed that a plan means: 42 if it names none. */
    static long orUsual(@Nullable Long asked) {
        return asked == null ? SEED : asked;
    }

    /** Returns the same faults with the random choices of a seed; without one, {@link #loss} has none and all others have 42. */
    public DirectedFaults withSeed(long newSeed) {
        return new DirectedFaults(container, direction, newSeed);
    }

    /**
     * Drops some datagrams.
     *
     * <p>With {@link #withSeed}, a relay drops them: the same seed drops the same datagrams of the same traffic, by their number among those to
     * the port and group, and the proof names them. Every datagram takes the way through a process, and the relay of the direction is in use. Without a
     * seed, a filter in the kernel draws random numbers: other datagrams each time, at any rate and without delay.
     *
     * @param percent that disappear, 0 to 100
     */
    public ContainerFault loss(double percent) {
        return loss(container, direction, percent, askedSeed);
    }

    /** Drops some datagrams; by a relay if there is a seed, by the kernel if not. */
    static ContainerFault loss(String container, Direction direction, double percent, @Nullable Long seed) {
        return seed == null
                ? new Loss(container, direction, percent)
                : new SeededLoss(container, direction, percent, seed);
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
