package org.naklab.lab.replica.process;

import org.jspecify.annotations.Nullable;

/** What a process's main loop needs of the part of the replica that it runs. */
public interface ReplicaRole {
    /** Tells what it has noticed since; called often. */
    default void tell(ControlChannel link) {}

    /** What the lab is told once the process is up. */
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

    /** Without the lab: whether there is nothing left to do for anybody. */
    boolean mayEnd();

    /** What it cannot go on after; {@code null} while all is well. */
    default @Nullable Throwable failure() {
        return null;
    }

    /** Grows as long as anything moves. */
    long progress();

    /** Figures as of now; after {@link #close()} the last. */
    Object report();

    void close();
}
