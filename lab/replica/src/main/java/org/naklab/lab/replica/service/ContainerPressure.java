package org.naklab.lab.replica.service;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;

/** A subscriber's {@link MemoryConstraint}, carried out. The process's main thread owns it. */
final class ContainerPressure implements AutoCloseable {
    private final MemoryConstraint constraint;
    private final @Nullable JournalFlusher sync;
    private @Nullable MemoryHog neighbour;
    private boolean isTold;

    ContainerPressure(MemoryConstraint constraint, @Nullable String journalDirectory) {
        this.constraint = constraint;
        sync = journalDirectory == null || constraint.journalSyncNs() == 0
                ? null
                : new JournalFlusher(Path.of(journalDirectory), constraint.journalSyncNs());
    }

    /** Starts the pressure when everything that the process needs is in memory. */
    void settle() {
        if (constraint.leastRoomBytes() > 0 && neighbour == null) {
            neighbour = new MemoryHog(constraint);
        }
    }

    /** Reports once when the memory is narrowed; called often. */
    void report(ControlChannel link) {
        MemoryHog.State narrowed = neighbour == null ? null : neighbour.outcome();
        if (narrowed != null && !isTold) {
            isTold = true;
            link.report(new ProcessEvent.MemoryNarrowed(
                    System.nanoTime(),
                    narrowed.roomBytes(),
                    narrowed.ballastBytes(),
                    narrowed.isEvicted(),
                    narrowed.filledAtNs()));
        }
    }

    @Override
    public void close() {
        if (neighbour != null) {
            neighbour.close();
        }
        if (sync != null) {
            sync.close();
        }
    }
}
