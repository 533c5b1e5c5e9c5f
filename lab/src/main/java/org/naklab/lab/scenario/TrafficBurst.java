package org.naklab.lab.scenario;

import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.TrafficBurstFault;
import org.naklab.lab.diagnose.Cause;
import org.naklab.lab.process.ExchangeFaults;

/**
 * The exchange sends thousands of messages at once, to receivers whose buffers hold a few milliseconds of that. A receiver that is as
 * fast as the sender takes a burst without loss as long as nothing makes it wait, and with a small buffer anything does.
 */
public final class TrafficBurst implements CauseScenario {
    private static final int MESSAGES = 10_000;
    private static final int FACTOR = 1_000;
    private static final long OVERFLOWING_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @Override
    public Cause injected() {
        return Cause.TRAFFIC_BURST;
    }

    /** Of a slow feed as long as a working buffer allows. */
    @Override
    public long overflowingNs(RunPlan plan) {
        return Math.max(
                OVERFLOWING_NS, StallArithmetic.leastStallNs(plan.workload().eventsPerSecond()));
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
