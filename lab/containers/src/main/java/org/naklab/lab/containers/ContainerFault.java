package org.naklab.lab.containers;

import org.naklab.faults.FaultProof;

/** A fault that is armed in a container. */
public interface ContainerFault extends AutoCloseable {
    /**
     * Whether it fired since it was armed, by what the kernel or the engine counted. After {@link #close()}: what it had done until
     * then.
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
