package org.naklab.lab.scenarios.control;

import java.util.List;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.FaultState;

/** Tells what a run that is under way does for commands from outside. Called by any thread. */
public interface ControlledRun {
    /** A fault that was added to a run that is under way. */
    interface InjectedFault {
        /** Returns the identifier that the fault has in {@code run.json}. */
        String id();

        /** Returns the process that the fault is on. */
        String process();

        /**
         * Returns how far the fault has come.
         *
         * @throws org.naklab.lab.core.LabException if its process has ended
         */
        FaultState state() throws InterruptedException;

        /**
         * Disarms the fault, and returns how far it came.
         *
         * @throws org.naklab.lab.core.LabException if its process has ended
         */
        FaultState remove() throws InterruptedException;
    }

    /** Returns what a command must know to choose this run. */
    RunDescription describe();

    /**
     * Adds a fault, whose time begins now.
     *
     * @throws org.naklab.lab.core.LabException if it cannot be had in this run, with the reason
     * @throws org.naklab.faults.FaultException for the same reason, found by the fault itself
     */
    InjectedFault inject(FaultSpec spec) throws InterruptedException;

    /** Removes the faults that a user has added or injected and that are not over; those of the scenario stay. */
    List<RemovedFault> removeAdded() throws InterruptedException;
}
