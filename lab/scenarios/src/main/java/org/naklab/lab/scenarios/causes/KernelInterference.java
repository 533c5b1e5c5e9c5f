package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
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
    /** Of one soft interrupt, the size of which the fault measures beforehand. */
    private static final int BURST_MS = 100;
    /** The fault makes packet filters, and measures them, in the warm-up. */
    private static final int LEAD_MS = 1_800;

    private static final long FOR_MS = 8_000;

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
                        new SoftirqStormFault.Parameters(
                                MessagingContext.threadName(Deployment.SERVICE), BURST_MS, 1, LEAD_MS))
                .withForMs(FOR_MS);
    }

    @Override
    public long overflowingNs(RunPlan plan) {
        return TimeUnit.MILLISECONDS.toNanos(BURST_MS);
    }

    @Override
    public int leadMs() {
        return LEAD_MS;
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
