package org.naklab.lab.process;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A subscriber's {@link Confinement}, carried out. The process's main thread owns it. */
final class ContainerWatch implements AutoCloseable {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Confinement confinement;
    private final OwnSockets sockets;
    private final @Nullable JournalSync sync;
    private @Nullable Ballast ballast;
    private long toldNs = System.nanoTime();

    ContainerWatch(Confinement confinement, @Nullable String journalDirectory) {
        this.confinement = confinement;
        sockets = new OwnSockets(confinement.ownPort());
        sync = journalDirectory == null || confinement.journalSyncNs() == 0
                ? null
                : new JournalSync(Path.of(journalDirectory), confinement.journalSyncNs());
    }

    /** Once everything that the process needs for itself is in memory. */
    void settle() {
        if (confinement.roomBytes() > 0) {
            ballast = new Ballast(confinement.roomBytes());
        }
    }

    void tell(LabLink link) {
        sockets.sample();
        long nowNs = System.nanoTime();
        if (nowNs - toldNs >= INTERVAL_NS) {
            toldNs = nowNs;
            tellMemory(link);
            tellSockets(link);
        }
    }

    private void tellMemory(LabLink link) {
        CgroupMemory memory = CgroupMemory.read();
        if (memory != null) {
            ObjectNode figures = Json.tree(memory, ObjectNode.class)
                    .put("freeBytes", memory.freeBytes())
                    .put("ballastBytes", ballast == null ? 0 : ballast.bytes());
            link.report("MEMORY", figures);
        }
    }

    /** Also the last word, while they are still open. */
    void tellSockets(LabLink link) {
        sockets.sample();
        ObjectNode readings = Json.object();
        readings.set("sockets", sockets.readings());
        link.report("sockets", readings);
    }

    @Override
    public void close() {
        if (sync != null) {
            sync.close();
        }
    }
}
