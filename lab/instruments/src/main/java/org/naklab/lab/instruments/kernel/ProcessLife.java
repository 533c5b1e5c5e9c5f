package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a thread of a recorded process started or ended, or that the process runs another program.
 *
 * @param event which
 * @param timeNs when, ns
 * @param task the thread; of a fork, the new one
 * @param parent the thread that started it; null unless a fork
 */
public record ProcessLife(
        Event event, long timeNs, TaskId task, @Nullable TaskId parent) implements KernelRecord {
    /** Tells what happened. */
    public enum Event {
        /** A thread or a process was started. */
        @JsonProperty("fork")
        FORK,
        /** The process runs another program now. */
        @JsonProperty("exec")
        EXEC,
        /** The thread ended. */
        @JsonProperty("exit")
        EXIT
    }

    /** Returns whether a thread within the process was started, not another process. */
    @JsonIgnore
    public boolean isNewThread() {
        return event == Event.FORK && parent != null && parent.pid() == task.pid();
    }
}
