package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.SlowJournalFault;
import org.naklab.lab.core.Units;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Workload;

/** The journal falls behind for a while: the ring fills, and the transport is left with what does not fit. */
@AutoService(Scenario.class)
public final class SlowConsumer implements CauseScenario {
    /** The journal takes as long for an event as so many take to arrive. */
    private static final int SLOWER = 10;
    /** Time in which the ring fills more than twice. */
    private static final double SLOW_SECONDS = 1.2;

    private static final double RING_SECONDS = 0.45;

    @Override
    public Cause injected() {
        return Cause.SLOW_CONSUMER;
    }

    @Override
    public String summary() {
        return "The journal is ten times slower than the feed until the ring is full";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        long delayUs = Math.max(1, Math.round(SLOWER * Units.US_PER_S / eventsPerSecond(plan)));
        int appends = (int) Math.ceil(SLOW_SECONDS * Units.US_PER_S / delayUs);
        return FaultSpec.of(
                "slow-journal", Deployment.SERVICE, new SlowJournalFault.Parameters(delayUs, null, appends));
    }

    private static int ringSlots(RunPlan plan) {
        return Integer.highestOneBit(Math.max(1, (int) (RING_SECONDS * eventsPerSecond(plan))));
    }

    /** Recorded time has no pace of its own. */
    private static long eventsPerSecond(RunPlan plan) {
        Workload workload = plan.workload();
        return workload.speed() == 0 ? workload.eventsPerSecond() : BufferSizing.PREFERRED_EVENTS_PER_SECOND;
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        return CauseScenario.super
                .deploy(plan)
                .with(Deployment.SERVICE, spec -> spec.withConfig(spec.config().withRingSlots(ringSlots(plan))));
    }
}
