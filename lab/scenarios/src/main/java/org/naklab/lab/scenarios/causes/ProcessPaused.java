package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** The service's process is stopped by a signal and goes on 150 ms later. */
@AutoService(Scenario.class)
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
