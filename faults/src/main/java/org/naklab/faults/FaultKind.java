package org.naklab.faults;

/**
 * A sort of fault, found by {@link java.util.ServiceLoader}: annotate the implementation with
 * {@code @AutoService(FaultKind.class)} and it is there. {@code docs/how-to/write-a-fault.md} walks through one.
 */
public interface FaultKind {
    /** As a plan spells it, for instance {@code datagram-loss}. */
    String name();

    /** A record that Jackson reads the plan's parameters into; its constructor checks them. */
    Class<? extends Record> parameterType();

    /** What the process needs beyond an ordinary user's rights, in one line, or {@code none}. */
    default String privileges() {
        return "none";
    }

    /** Whether another process than the one it strikes makes the fault, as with a signal. */
    default boolean actsFromOutside() {
        return false;
    }

    /**
     * Makes a fault, disarmed.
     *
     * @param seed for all that is left to chance; derived from the plan's seed, the fault's id and the process
     * @throws FaultException if a parameter is out of bounds or the site lacks the seam
     */
    Fault create(FaultSpec spec, FaultSite site, long seed);
}
