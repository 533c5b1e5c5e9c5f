package org.naklab.lab.containers;

import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.core.LabException;

/** A fault of a container that a plan's clock arms and disarms. */
public final class ArmedInContainer implements Fault {
    private final ContainerFaultKind kind;
    private final FaultSpec spec;
    private @Nullable ContainerFault armed;

    /**
     * Creates a fault that is not armed.
     *
     * @param spec of this kind; {@link FaultSpec#on()} is the name or id of the container
     */
    public ArmedInContainer(ContainerFaultKind kind, FaultSpec spec) {
        this.kind = kind;
        this.spec = spec;
    }

    @Override
    public synchronized void arm() {
        try {
            armed = kind.arm(spec);
        } catch (LabException e) {
            throw new FaultException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public synchronized void disarm() {
        if (armed != null) {
            armed.close();
        }
    }

    @Override
    public synchronized FaultProof proof() {
        try {
            return armed == null ? FaultProof.notFired("it was not armed") : armed.proof();
        } catch (LabException e) {
            throw new FaultException(String.valueOf(e.getMessage()), e);
        }
    }
}
