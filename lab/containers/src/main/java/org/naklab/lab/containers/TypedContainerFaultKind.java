package org.naklab.lab.containers;

import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.FaultDescription;

/**
 * A kind of fault in a container with a record for its parameters.
 *
 * @param <P> the record; its constructor checks the parameters
 */
public abstract class TypedContainerFaultKind<P extends Record> implements ContainerFaultKind {
    /** Names the privileges of a fault for which the engine does everything. */
    public static final String ENGINE_ACCESS = "access to the container engine";

    /** Stands for a kind without parameters. */
    public record NoParameters() {}

    private final String name;
    private final String privileges;
    private final Class<P> parameterType;
    private final FaultDescription description;

    /**
     * Creates a kind.
     *
     * @param privileges see {@link #privileges()}
     * @param description for users; a container has no usual name, so that the user must give one
     */
    protected TypedContainerFaultKind(
            String name, String privileges, Class<P> parameterType, FaultDescription description) {
        this.name = name;
        this.privileges = privileges;
        this.parameterType = parameterType;
        this.description = description.on("");
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Class<P> parameterType() {
        return parameterType;
    }

    @Override
    public final String privileges() {
        return privileges;
    }

    @Override
    public final FaultDescription description() {
        return description;
    }

    @Override
    public final ContainerFault arm(FaultSpec spec) {
        return arm(spec.on(), spec.parametersAs(parameterType));
    }

    /**
     * Arms a fault, and returns when it is armed.
     *
     * @param container its name or id
     * @throws org.naklab.lab.core.LabException if this machine or container does not support it
     */
    protected abstract ContainerFault arm(String container, P parameters);
}
