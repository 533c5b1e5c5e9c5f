package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * Identifies a thread.
 *
 * @param pid process id in the initial pid namespace; 0 for an idle processor
 * @param tid thread id in the initial pid namespace
 * @param comm name of the thread, up to 15 bytes
 */
public record TaskId(int pid, int tid, String comm) {
    /** Returns whether this is the idle task: the processor had nothing to run. */
    @JsonIgnore
    public boolean isIdle() {
        return pid == 0;
    }
}
