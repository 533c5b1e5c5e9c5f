package org.naklab.lab.scenario;

import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.SlowJournalFault;
import org.naklab.lab.diagnose.Cause;
import org.naklab.lab.process.ServiceConfig;

/** The journal falls behind for a while: the ring fills, and the transport is left with what does not fit. */
public final class SlowConsumer implements CauseScenario {
    private static final int DELAY_US = 2_000;
    private static final int APPENDS = 600;
    private static final int RING_SLOTS = 1 << 11;

    @Override
    public Cause injected() {
        return Cause.SLOW_CONSUMER;
    }

    @Override
    public String summary() {
        return "The journal takes 2 ms an event until the ring is full";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of(
                "slow-journal", Deployment.SERVICE, new SlowJournalFault.Parameters(DELAY_US, null, APPENDS));
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        return CauseScenario.super
                .deploy(plan)
                .with(
                        Deployment.SERVICE,
                        spec -> spec.withConfig(((ServiceConfig) spec.config()).withRingSlots(RING_SLOTS)));
    }
}
