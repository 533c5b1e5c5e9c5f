package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.host.MachineStallFault;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** No processor runs anything of the replica or of the lab for 150 ms. */
@AutoService(Scenario.class)
public final class MachineStalled implements CauseScenario {
    @Override
    public Cause injected() {
        return Cause.MACHINE_STALLED;
    }

    @Override
    public String summary() {
        return "All CPUs are busy for 150 ms";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of("machine-stall", LAB, new MachineStallFault.Parameters(STALL_MS))
                .withForMs(2 * STALL_MS);
    }

    @Override
    public boolean isFromOutside() {
        return true;
    }
}
