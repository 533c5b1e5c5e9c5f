package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.host.SoftirqStormFault;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.messaging.MessagingContext;

/** The kernel processes datagrams of others in soft interrupts on the receipt thread's CPU. */
@AutoService(Scenario.class)
public final class KernelInterference implements CauseScenario {
    /** Packet filters are made before the storm begins. */
    private static final long FOR_MS = 3_000;

    private static final long OVERFLOWING_NS = 40_000_000;

    @Override
    public Cause injected() {
        return Cause.KERNEL_INTERFERENCE;
    }

    @Override
    public String summary() {
        return "Soft interrupts of the network occupy the context thread's CPU";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of(
                        "softirq-storm",
                        Deployment.SERVICE,
                        new SoftirqStormFault.Parameters(MessagingContext.threadName(Deployment.SERVICE), 0, 0))
                .withForMs(FOR_MS);
    }

    /** The kernel processes 64 datagrams in one soft interrupt, which takes some tens of milliseconds. */
    @Override
    public long overflowingNs(RunPlan plan) {
        return OVERFLOWING_NS;
    }

    @Override
    public boolean isFromOutside() {
        return true;
    }

    /** A soft interrupt takes the CPU from the thread without a switch: nothing else shows it. */
    @Override
    public boolean recordsInterrupts() {
        return true;
    }
}
