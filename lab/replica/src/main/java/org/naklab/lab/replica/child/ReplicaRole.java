package org.naklab.lab.replica.child;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;

/** The part of the replica that a process runs, as its main loop needs it. */
public interface ReplicaRole {
    /** Reports what was observed since the last call; called often. */
    default void report(ControlChannel link) {}

    /** Returns the report that the lab receives when the process has started. */
    ProcessEvent.Ready ready();

    /**
     * Reacts to the end of the start: the transport has its buffers; the memory that is left is for the page cache. Does
     * nothing by default.
     */
    default void settle() {}

    /**
     * Connects to servers. Does nothing by default: only customers do.
     *
     * @param addresses of the servers, a JSON object
     */
    default void connect(String addresses) {}

    /** Starts the flow. Does nothing for a subscriber. */
    void start();

    /** Ends the flow now, trailer included. Does nothing for a subscriber. */
    void stop();

    /** Returns the event that tells of {@link #isComplete()}, as of now. */
    ProcessEvent completion();

    /** Returns whether the trailer was sent, or everything up to it was received. */
    boolean isComplete();

    /** Returns whether a process that has lost the lab may exit. */
    boolean mayEnd();

    /** Returns the failure after which the process cannot continue; {@code null} if there is none. */
    default @Nullable Throwable failure() {
        return null;
    }

    /**
     * Has the faults of the process obey a command of {@link org.naklab.faults.FaultCommands}.
     *
     * @return the answer, one line of JSON
     */
    String obeyFaultCommand(String line);

    /** Grows as long as anything moves. */
    long progress();

    /** Figures as of now; after {@link #close()} the last. */
    Object report();

    void close();
}
