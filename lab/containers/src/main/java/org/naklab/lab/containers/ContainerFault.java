package org.naklab.lab.containers;

import org.naklab.faults.FaultProof;

/** A fault that is armed in a container. */
public interface ContainerFault extends AutoCloseable {
    /**
     * Returns whether the fault fired since it was armed, by the counters of the kernel or the engine; after
     * {@link #close()}, the state at that time.
     *
     * @throws org.naklab.lab.core.LabException when the figures cannot be had
     */
    FaultProof proof();

    /**
     * Undoes it; a second time does nothing. A container that is gone has nothing left to be undone.
     *
     * @throws org.naklab.lab.core.LabException when it cannot be undone, with what is left
     */
    @Override
    void close();
}
