package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.SlowCallbackFault;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.replica.service.ServiceFaults;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** A message's handler takes 150 ms on the context thread: receipt stands still meanwhile. */
@AutoService(Scenario.class)
public final class SlowCallback implements CauseScenario {
    @Override
    public Cause injected() {
        return Cause.SLOW_CALLBACK;
    }

    @Override
    public String summary() {
        return "One callback takes 150 ms on the context thread";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of(
                "slow-callback",
                Deployment.SERVICE,
                new SlowCallbackFault.Parameters(
                        ServiceFaults.FEED_CALLBACK, TimeUnit.MILLISECONDS.toMicros(STALL_MS), null, 1));
    }
}
