package org.naklab.lab.scenarios.inspection;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a long run leaves behind.
 *
 * @param processes of the replica, and the lab itself
 * @param journalBooksDigest of the order books that the lab makes from the journal; {@code null}: it cannot be replayed
 */
public record Inspection(
        List<ProcessUse> processes, @Nullable Long journalBooksDigest) {
    /** Name of the lab's own process. */
    public static final String LAB = "lab";

    public Inspection {
        processes = List.copyOf(processes);
    }

    /** Returns what a process held; empty if it was not inspected. */
    public Optional<ProcessUse> of(String process) {
        return processes.stream().filter(use -> use.process().equals(process)).findFirst();
    }
}
