package org.naklab.lab.scenarios.runner;

import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.record.RunResult;

/** Receives the progress of a run, on the run's own thread. */
public interface RunListener extends PreparationListener {
    /** A listener that takes no notice. */
    RunListener NONE = new RunListener() {};

    /** The processes are being started. */
    default void onPlanned(RunPlan plan) {}

    /** A process is up. {@code grantedReceiveBufferBytes} is 0 for one that receives nothing. */
    default void onReady(String process, long pid, int grantedReceiveBufferBytes) {}

    /** Everyone is connected; the flow begins. */
    default void onFlowStarted() {}

    /** Several times a second. */
    default void onProgress(RunProgress progress) {}

    /**
     * A receipt thread received nothing for some time, and does again.
     *
     * @param atNs when that began, ns since the flow began
     */
    default void onStall(long atNs, String process, String thread, long durationNs) {}

    /** The flow has ended; processes end, the journal is verified. */
    default void onWindingDown(String what) {}

    default void onFinished(RunResult result) {}
}
