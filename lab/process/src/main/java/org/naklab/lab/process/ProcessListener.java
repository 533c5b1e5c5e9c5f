package org.naklab.lab.process;

/** Hears what the processes of a run report. */
@FunctionalInterface
public interface ProcessListener {
    /**
     * Takes an event, on a thread of that process's own.
     *
     * @param process the name of the one that reported it
     */
    void onEvent(String process, ProcessEvent event);

    /** Takes note that a process reports no more. */
    default void onEnd(String process) {}
}
