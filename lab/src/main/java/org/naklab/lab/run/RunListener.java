package org.naklab.lab.run;

import org.naklab.lab.PreparationListener;
import org.naklab.lab.scenario.RunPlan;

/** What a run tells while it goes on, on the run's own thread. */
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

    /** The flow has ended; processes end, the journal is verified. */
    default void onWindingDown(String what) {}

    default void onFinished(RunResult result) {}
}
