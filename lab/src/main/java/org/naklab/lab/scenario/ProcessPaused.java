package org.naklab.lab.scenario;

import org.naklab.faults.FaultSpec;
import org.naklab.lab.diagnose.Cause;

/** The service's process is stopped by a signal and goes on 150 ms later. */
public final class ProcessPaused implements CauseScenario {
    @Override
    public Cause injected() {
        return Cause.PROCESS_PAUSED;
    }

    @Override
    public String summary() {
        return "SIGSTOP, 150 ms, SIGCONT";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return new FaultSpec(null, "process-pause", Deployment.SERVICE, null, STALL_MS, null);
    }

    @Override
    public boolean isFromOutside() {
        return true;
    }
}
