package org.naklab.faults;

import java.util.Optional;
import org.naklab.faults.description.DescribedKind;
import org.naklab.faults.description.FaultDescription;

/**
 * A sort of fault, found by {@link java.util.ServiceLoader}: annotate the implementation with
 * {@code @AutoService(FaultKind.class)} and it is there. {@code docs/how-to/write-a-fault.md} walks through one.
 */
public interface FaultKind extends DescribedKind {
    /** Returns what the process needs beyond an ordinary user's rights, in one line, or {@code none}. */
    @Override
    default String privileges() {
        return "none";
    }

    /** Returns the description for {@code naklab faults}; the names of the parameters if the kind has none of its own. */
    @Override
    default FaultDescription description() {
        return FaultDescription.ofNames(parameterType());
    }

    /** Tries whether this process can inject the fault here; returns in one line why not, and what to do, or empty if it can. */
    default Optional<String> obstacle() {
        return Optional.empty();
    }

    /**
     * Tries the same for an entry of a plan, whose parameters may need more rights than the defaults.
     *
     * @param spec of this kind
     */
    default Optional<String> obstacle(FaultSpec spec) {
        return obstacle();
    }

    /**
     * Returns true if the fault can make other processes than its target miss datagrams: it acts on what the target sends, or on the whole
     * machine.
     *
     * @param spec of this kind
     */
    default boolean reachesOthers(FaultSpec spec) {
        return false;
    }

    /** Returns whether another process than the one it strikes makes the fault, as with a signal. */
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
