package org.naklab.lab.scenarios.mystery;

import java.util.List;
import java.util.Optional;
import org.naklab.lab.scenarios.Fidelity;

/** The fidelities of the mystery. */
final class MysteryFidelities {
    /** The first one is the default where a machine does not allow the realistic one. */
    static final List<FidelityStrategy> ALL =
            List.of(new AuditedBind(), new SimulatedBind(), new EvictedPages(), new NaturalPressure());

    private MysteryFidelities() {}

    /**
     * Returns the strategy of a fidelity.
     *
     * @throws IllegalArgumentException if the mystery does not have it
     */
    static FidelityStrategy of(Fidelity fidelity) {
        return find(fidelity)
                .orElseThrow(() -> new IllegalArgumentException("the mystery has no fidelity " + fidelity));
    }

    /** Returns the strategy of a fidelity, or empty if the mystery does not have it. */
    static Optional<FidelityStrategy> find(Fidelity fidelity) {
        return ALL.stream().filter(strategy -> strategy.fidelity() == fidelity).findFirst();
    }
}
