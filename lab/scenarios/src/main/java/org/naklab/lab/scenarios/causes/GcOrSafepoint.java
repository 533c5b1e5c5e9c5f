package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.GcPauseFault;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** The JVM stops all its threads for a full collection of many small objects. */
@AutoService(Scenario.class)
public final class GcOrSafepoint implements CauseScenario {
    private static final int LIVE_MIB = 64;

    @Override
    public Cause injected() {
        return Cause.GC_OR_SAFEPOINT;
    }

    @Override
    public String summary() {
        return "A full collection stops the JVM";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of("gc-pause", Deployment.SERVICE, new GcPauseFault.Parameters(LIVE_MIB, 1));
    }
}
