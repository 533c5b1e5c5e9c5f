package org.naklab.lab.process;

/** The environment in which a run's processes are deployed, apart from the host. */
public interface DeploymentEnvironment extends AutoCloseable {
    /** No environment apart from the host. */
    DeploymentEnvironment NONE = new DeploymentEnvironment() {};

    /**
     * Prepares the environment before the first process is started.
     *
     * @throws org.naklab.lab.core.LabException if the environment fails
     */
    default void prepare() {}

    /**
     * Called when all processes have started and settled, just before traffic flows. The pages that they need to start are in memory.
     *
     * @throws org.naklab.lab.core.LabException if the environment fails
     */
    default void onSettled() {}

    /** Called when traffic has begun to flow. Returns at once. */
    default void onFlowStarted() {}

    /**
     * Copies the files that the processes left into the run's directory, after the last process has ended.
     *
     * @throws org.naklab.lab.core.LabException if the environment fails
     */
    default void collect() {}

    /** Takes away what was prepared. */
    @Override
    default void close() {}

    /** Returns this environment with another one within it, which is prepared later and taken away earlier. */
    default DeploymentEnvironment around(DeploymentEnvironment inner) {
        return inner == NONE ? this : new NestedEnvironment(this, inner);
    }
}
