package org.naklab.lab.report.instructor;

import java.util.List;

/** Tells what the lab does for an instructor: one run at a time. Safe for several threads; no call waits for the end of a run. */
public interface LabActs {
    /** Returns the scenarios that can be started. */
    List<ScenarioChoice> scenarios();

    /** Returns the kinds of faults that a run takes while it goes on. */
    List<FaultChoice> faults();

    /**
     * Starts a run.
     *
     * @throws org.naklab.lab.core.UsageException it cannot be run like this
     * @throws org.naklab.lab.core.UnavailableException another run goes on
     */
    void start(RunWish wish);

    /**
     * Asks the run to end in order.
     *
     * @throws org.naklab.lab.core.InputException no run goes on
     */
    void stop();

    /** Tells the cause of the run, and which scenario it is, to all viewers. */
    void reveal();

    /**
     * Injects a fault into the run.
     *
     * @param fault in the words of {@code naklab inject}
     * @throws org.naklab.lab.core.UsageException there is no such fault
     * @throws org.naklab.lab.core.InputException no run goes on
     */
    void inject(String fault);

    /**
     * Removes a fault that was injected.
     *
     * @throws org.naklab.lab.core.InputException there is none with that number, or it is over
     */
    void remove(int number);

    /** Returns the state of the run. */
    RunState state();

    /** Returns how often the state has changed. */
    long changes();
}
