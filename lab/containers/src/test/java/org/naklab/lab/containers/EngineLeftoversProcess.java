package org.naklab.lab.containers;

import org.naklab.faults.guard.Leftovers;

/** Child process: removes what killed labs left at the engine that the path leads to, and tells. */
final class EngineLeftoversProcess {
    private EngineLeftoversProcess() {}

    public static void main(String[] arguments) {
        Leftovers.Outcome outcome = EngineLeftovers.remove();
        outcome.undone().forEach(what -> System.out.println("undone: " + what));
        outcome.left().forEach(what -> System.out.println("left: " + what));
    }
}
