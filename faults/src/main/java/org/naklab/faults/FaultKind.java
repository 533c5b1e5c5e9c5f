package org.naklab.faults;

import java.util.Optional;
import org.naklab.faults.description.DescribedKind;
import org.naklab.faults.description.FaultDescription;

/**
 * A sort of fault, found by {@link java.util.ServiceLoader}: annotate the implementation with
 * {@code @AutoService(FaultKind.class)} and it is there. {@code docs/how-to/write-a-fault.md} walks through one.
 */
public interface FaultKind extends DescribedKind {
    /** What the process needs beyond an ordinary user's rights, in one line, or {@code none}. */
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
