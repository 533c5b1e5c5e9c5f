package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.SafepointPauseFault;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** A thread of the service comes late to a safepoint, and all threads of the JVM wait for it. */
@AutoService(Scenario.class)
public final class TimeToSafepoint implements CauseScenario {
    /** Only the optimising compiler makes loops without a poll for safepoints; the last argument of the kind counts. */
    private static final String OPTIMISING_COMPILER = "-XX:TieredStopAtLevel=4";

    @Override
    public Cause injected() {
        return Cause.TIME_TO_SAFEPOINT;
    }

    @Override
    public String summary() {
        return "The JVM waits for a thread that is late at a safepoint";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of(
                "safepoint-pause", Deployment.SERVICE, new SafepointPauseFault.Parameters((int) STALL_MS, 1));
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        return CauseScenario.super
                .deploy(plan)
                .with(Deployment.SERVICE, spec -> spec.withJvmArguments(OPTIMISING_COMPILER));
    }
}
