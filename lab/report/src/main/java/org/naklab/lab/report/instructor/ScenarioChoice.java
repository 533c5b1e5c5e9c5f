package org.naklab.lab.report.instructor;

import java.util.List;

/**
 * A scenario that an instructor can start.
 *
 * @param fidelities and {@code remedies} by their words on the command line
 * @param rate events per second
 * @param durationS of the flow
 * @param obstacle why it cannot run here; empty: it can
 */
public record ScenarioChoice(
        String name,
        String summary,
        List<String> fidelities,
        List<String> remedies,
        long rate,
        double durationS,
        String obstacle) {
    public ScenarioChoice {
        fidelities = List.copyOf(fidelities);
        remedies = List.copyOf(remedies);
    }
}
