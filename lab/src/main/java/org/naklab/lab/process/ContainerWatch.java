package org.naklab.lab.process;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A subscriber's {@link Confinement}, carried out. The process's main thread owns it. */
final class ContainerWatch implements AutoCloseable {
    private final Confinement confinement;
    private final @Nullable JournalSync sync;
    private @Nullable Ballast ballast;

    ContainerWatch(Confinement confinement, @Nullable String journalDirectory) {
        this.confinement = confinement;
        sync = journalDirectory == null || confinement.journalSyncNs() == 0
                ? null
                : new JournalSync(Path.of(journalDirectory), confinement.journalSyncNs());
    }

    /** Once everything that the process needs for itself is in memory. */
    void settle(LabLink link) {
        if (confinement.roomBytes() > 0 && ballast == null) {
            ballast = new Ballast(confinement.roomBytes());
            link.report(
                    "ballast", Json.object().put("bytes", ballast.bytes()).put("roomBytes", confinement.roomBytes()));
        }
    }

    @Override
    public void close() {
        if (sync != null) {
            sync.close();
        }
    }
}
