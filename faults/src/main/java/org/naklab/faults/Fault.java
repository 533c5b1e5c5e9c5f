package org.naklab.faults;

/**
 * One thing that goes wrong, on purpose. Arming makes it possible, disarming makes it impossible again and undoes what it
 * changed; between the two it fires, or not, and its proof says which. Methods are called by one thread at a time.
 */
public interface Fault {
    /**
     * From now on the fault may fire. Called at most once.
     *
     * @throws FaultException if this machine or process does not let it: says what is missing
     */
    void arm();

    /** From now on the fault does not fire, and nothing of it is left. May be called at any time and more than once. */
    void disarm();

    /** Returns what it has done so far. May be called at any time, from any thread. */
    FaultProof proof();
}
