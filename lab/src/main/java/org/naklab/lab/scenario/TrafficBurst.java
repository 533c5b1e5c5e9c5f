package org.naklab.lab.scenario;

import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.TrafficBurstFault;
import org.naklab.lab.diagnose.Cause;
import org.naklab.lab.process.ExchangeFaults;

/** The exchange sends thousands of messages at once: more than any receiver of its pace takes. */
public final class TrafficBurst implements CauseScenario {
    private static final int MESSAGES = 5_000;
    private static final int FACTOR = 1_000;

    @Override
    public Cause injected() {
        return Cause.TRAFFIC_BURST;
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
