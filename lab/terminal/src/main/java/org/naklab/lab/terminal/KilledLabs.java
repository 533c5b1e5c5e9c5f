package org.naklab.lab.terminal;

import java.io.PrintStream;
import java.util.List;
import org.naklab.faults.FaultException;
import org.naklab.faults.guard.Leftovers;

/** Undoes what labs left that were killed together with their guards. */
public final class KilledLabs {
    private KilledLabs() {}

    /** Keeps their promises, and says on a stream what was undone and what could not be. */
    public static void undo(PrintStream out) {
        Leftovers.Outcome outcome = undo();
        outcome.undone().forEach(what -> out.println("undid a fault of a killed lab: " + what));
        outcome.left().forEach(what -> out.println("a fault of a killed lab cannot be undone yet: " + what));
    }

    /** Keeps their promises. */
    public static Leftovers.Outcome undo() {
        try {
            return Leftovers.undo();
        } catch (FaultException e) {
            return new Leftovers.Outcome(List.of(), List.of(String.valueOf(e.getMessage())));
        }
    }
}
