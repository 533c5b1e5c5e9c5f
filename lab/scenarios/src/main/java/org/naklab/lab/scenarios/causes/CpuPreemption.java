package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.host.CpuContentionFault;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.messaging.MessagingContext;

/** Another process takes the receipt thread's core, with a priority that leaves it nothing. */
@AutoService(Scenario.class)
public final class CpuPreemption implements CauseScenario {
    private static final int MIN_RUN_DELAY_MS = 50;

    @Override
    public Cause injected() {
        return Cause.CPU_PREEMPTION;
    }

    @Override
    public String summary() {
        return "A real-time process occupies the context thread's core";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of(
                        "cpu-contention",
                        Deployment.SERVICE,
                        new CpuContentionFault.Parameters(
                                MessagingContext.threadName(Deployment.SERVICE), 1, true, MIN_RUN_DELAY_MS))
                .withForMs(STALL_MS);
    }

    @Override
    public boolean isFromOutside() {
        return true;
    }
}
