package org.naklab.lab.containers;

import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.DescribedKind;

/**
 * A kind of fault in a container, found by {@link java.util.ServiceLoader}: annotate the implementation with
 * {@code @AutoService(ContainerFaultKind.class)}; no other file changes.
 */
public interface ContainerFaultKind extends DescribedKind {
    /**
     * Arms a fault, and returns when it is armed.
     *
     * @param spec of this kind; {@link FaultSpec#on()} is the name or id of the container
     * @throws org.naklab.lab.core.LabException if this machine or container does not support it
     */
    ContainerFault arm(FaultSpec spec);
}
