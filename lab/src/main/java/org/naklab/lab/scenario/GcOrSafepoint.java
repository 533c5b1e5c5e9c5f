package org.naklab.lab.scenario;

import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.GcPauseFault;
import org.naklab.faults.kind.SafepointPauseFault;
import org.naklab.lab.diagnose.Cause;

/** The JVM stops all its threads: for a full collection when the seed is odd, for a slow safepoint when it is even. */
public final class GcOrSafepoint implements CauseScenario {
    private static final int LIVE_MIB = 64;

    @Override
    public Cause injected() {
        return Cause.GC_OR_SAFEPOINT;
    }

    @Override
    public String summary() {
        return "A collection or a slow safepoint stops the JVM";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return plan.seed() % 2 == 0
                ? FaultSpec.of(
                        "safepoint-pause", Deployment.SERVICE, new SafepointPauseFault.Parameters((int) STALL_MS, 1))
                : FaultSpec.of("gc-pause", Deployment.SERVICE, new GcPauseFault.Parameters(LIVE_MIB, 1));
    }

    /** A loop without a safepoint poll takes the optimising compiler. */
    @Override
    public Deployment deploy(RunPlan plan) {
        return CauseScenario.super
                .deploy(plan)
                .with(
                        Deployment.SERVICE,
                        spec -> plan.seed() % 2 == 0 ? spec.withJvmArguments("-XX:TieredStopAtLevel=4") : spec);
    }
}
