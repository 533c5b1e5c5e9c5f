package org.naklab.lab.instruments.linking;

import java.io.IOException;
import org.naklab.lab.core.process.ProcPaths;

/** Looks whether slots of a process are still unbound; the process goes on. */
public final class PendingSlots implements AutoCloseable {
    private final ProcessMemory memory;

    private PendingSlots(ProcessMemory memory) {
        this.memory = memory;
    }

    /**
     * Opens the memory of a process.
     *
     * @throws IOException the process is gone, or may not be looked at
     */
    public static PendingSlots of(long pid) throws IOException {
        return new PendingSlots(ProcessMemory.of(ProcPaths.of(pid)));
    }

    /**
     * Returns whether a bind is still to come.
     *
     * @throws IOException the process is gone
     */
    public boolean isUnbound(PendingBind bind) throws IOException {
        return memory.word(bind.slot()) == bind.unbound();
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
