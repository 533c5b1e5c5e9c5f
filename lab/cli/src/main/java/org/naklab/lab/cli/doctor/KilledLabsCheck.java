package org.naklab.lab.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.naklab.faults.guard.Leftovers;
import org.naklab.lab.containers.EngineLeftovers;
import org.naklab.lab.terminal.KilledLabs;

/** Undoes what labs left that were killed together with their guards, and reports it. */
final class KilledLabsCheck {
    private static final String NAME = "killed labs";
    private static final String DOCKER_NAME = "Docker leftovers";

    private KilledLabsCheck() {}

    /** Keeps their promises. */
    static CheckResult examine() {
        return judge(NAME, KilledLabs.undo());
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
}
