package org.naklab.lab.replica.process;

import org.jspecify.annotations.Nullable;

/** The part of the replica that a process runs, as its main loop needs it. */
public interface ReplicaRole {
    /** Reports what was observed since the last call; called often. */
    default void report(ControlChannel link) {}

    /** Returns the report that the lab receives when the process has started. */
    ProcessEvent.Ready ready();

    /** The transport has its buffers; what is left of the memory is left for the page cache. Nothing by default. */
    default void settle() {}

    /** The flow may begin. Nothing for a subscriber. */
    void start();

    /** The flow is to end now, trailer included. Nothing for a subscriber. */
    void stop();

    /** Returns the event that tells of {@link #isComplete()}, as of now. */
    ProcessEvent completion();

    /** The trailer is out, or everything up to it has come in. */
    boolean isComplete();

    /** Returns whether a process that has lost the lab may exit. */
    boolean mayEnd();

    /** Returns the failure after which the process cannot continue; {@code null} if there is none. */
    default @Nullable Throwable failure() {
        return null;
    }

    /** Grows as long as anything moves. */
    long progress();

    /** Figures as of now; after {@link #close()} the last. */
    Object report();

    void close();
}
