package org.naklab.lab.doctor;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.naklab.faults.FaultException;
import org.naklab.faults.guard.Leftovers;
import org.naklab.lab.containers.EngineLeftovers;

/** Undoes what labs left that were killed together with their guards. */
public final class KilledLabs {
    private static final String NAME = "killed labs";
    private static final String DOCKER_NAME = "Docker leftovers";

    private KilledLabs() {}

    /** Keeps their promises, and says on a stream what was undone and what could not be. */
    public static void undo(PrintStream out) {
        Leftovers.Outcome outcome = promises();
        outcome.undone().forEach(what -> out.println("undid a fault of a killed lab: " + what));
        outcome.left().forEach(what -> out.println("a fault of a killed lab cannot be undone yet: " + what));
    }

    /** Keeps their promises. */
    static CheckResult examine() {
        return judge(NAME, promises());
    }

    /** Removes what they made at the engine. */
    static CheckResult examineEngine() {
        return judge(DOCKER_NAME, EngineLeftovers.remove());
    }

    static CheckResult judge(String name, Leftovers.Outcome outcome) {
        List<String> parts = new ArrayList<>();
        if (!outcome.undone().isEmpty()) {
            parts.add("undone now: " + String.join("; ", outcome.undone()));
        }
        if (!outcome.left().isEmpty()) {
            parts.add("left: " + String.join("; ", outcome.left()));
        }
        return CheckResult.of(
                name,
                outcome.left().isEmpty(),
                parts.isEmpty() ? "none left" : String.join("; ", parts),
                "undo it manually, or fix the reason and run 'naklab doctor' again; see "
                        + "docs/reference/container-faults.md");
    }

    private static Leftovers.Outcome promises() {
        try {
            return Leftovers.undo();
        } catch (FaultException e) {
            return new Leftovers.Outcome(List.of(), List.of(String.valueOf(e.getMessage())));
        }
    }
}
