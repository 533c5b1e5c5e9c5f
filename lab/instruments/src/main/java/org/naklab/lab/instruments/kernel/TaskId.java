package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.naklab.lab.core.Printable;

/**
 * Identifies a thread.
 *
 * @param pid process id in the initial pid namespace; 0 for an idle processor
 * @param tid thread id in the initial pid namespace
 * @param comm name of the thread, up to 15 bytes
 */
public record TaskId(int pid, int tid, String comm) {
    /** A thread names itself, and may do so with control characters. */
    public TaskId {
        comm = Printable.of(comm);
    }

    /** Returns whether this is the idle task: the processor had nothing to run. */
    @JsonIgnore
    public boolean isIdle() {
        return pid == 0;
    }
}
