package org.naklab.lab.replica.process;

/** What a run's processes stand on besides the machine itself. */
public interface DeploymentEnvironment extends AutoCloseable {
    /** Nothing besides. */
    DeploymentEnvironment NONE = new DeploymentEnvironment() {};

    /**
     * Before the first process is started.
     *
     * @throws org.naklab.lab.core.LabException when it cannot be had
     */
    default void prepare() {}

    /**
     * When all processes are up and settled, just before traffic flows. What they needed to start is in memory.
     *
     * @throws org.naklab.lab.core.LabException when it cannot be had
     */
    default void onSettled() {}

    /** When traffic has begun to flow. Returns at once. */
    default void onFlowStarted() {}

    /**
     * After the last process has ended: brings what they left into the run's directory.
     *
     * @throws org.naklab.lab.core.LabException when it cannot be had
     */
    default void collect() {}

    /** Takes away what was prepared. */
    @Override
    default void close() {}
}
