package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.TrafficBurstFault;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.replica.exchange.ExchangeFaults;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/**
 * The exchange sends thousands of messages at once, to receivers whose buffers hold a few milliseconds of that. A receiver that is as
 * fast as the sender takes a burst without loss as long as nothing makes it wait, and with a small buffer anything does.
 */
@AutoService(Scenario.class)
public final class TrafficBurst implements CauseScenario {
    private static final int MESSAGES = 10_000;
    private static final int FACTOR = 1_000;
    private static final long OVERFLOWING_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @Override
    public Cause injected() {
        return Cause.TRAFFIC_BURST;
    }

    /** Returns the time after which the buffer overflows, ns; for a slow feed the shortest that a working buffer allows. */
    @Override
    public long overflowingNs(RunPlan plan) {
        return Math.max(
                OVERFLOWING_NS, BufferSizing.leastStallNs(plan.workload().eventsPerSecond()));
    }

    @Override
    public String summary() {
        return "The feed bursts to a thousand times its rate";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of(
                "traffic-burst",
                Deployment.EXCHANGE,
                new TrafficBurstFault.Parameters(ExchangeFaults.FEED_PACER, MESSAGES, FACTOR));
    }
}
