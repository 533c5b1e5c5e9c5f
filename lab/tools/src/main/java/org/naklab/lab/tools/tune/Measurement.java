package org.naklab.lab.tools.tune;

/** Measures one run of an arm. */
@FunctionalInterface
public interface Measurement {
    /**
     * Measures.
     *
     * @param seed of the run; runs of one round have the same
     * @throws org.naklab.lab.core.LabException the task failed; the message says how
     */
    Sample measure(Arm arm, long seed) throws InterruptedException;
}
