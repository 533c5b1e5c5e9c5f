package org.naklab.lab.process;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A subscriber's {@link Confinement}, carried out. The process's main thread owns it. */
final class ContainerWatch implements AutoCloseable {
    private final Confinement confinement;
    private final @Nullable JournalSync sync;
    private @Nullable Neighbour neighbour;
    private boolean isTold;

    ContainerWatch(Confinement confinement, @Nullable String journalDirectory) {
        this.confinement = confinement;
        sync = journalDirectory == null || confinement.journalSyncNs() == 0
                ? null
                : new JournalSync(Path.of(journalDirectory), confinement.journalSyncNs());
    }

    /** Once everything that the process needs for itself is in memory. */
    void settle() {
        if (confinement.leastRoomBytes() > 0 && neighbour == null) {
            neighbour = new Neighbour(confinement);
        }
    }

    /** Called often. */
    void tell(LabLink link) {
        Neighbour.State narrowed = neighbour == null ? null : neighbour.outcome();
        if (narrowed != null && !isTold) {
            isTold = true;
            link.report(
                    "MEMORY_NARROWED",
                    Json.object()
                            .put("roomBytes", narrowed.roomBytes())
                            .put("ballastBytes", narrowed.ballastBytes())
                            .put("evicted", narrowed.isEvicted()));
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
