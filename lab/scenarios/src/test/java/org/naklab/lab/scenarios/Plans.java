package org.naklab.lab.scenarios;

import java.nio.file.Path;
import java.util.List;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/** Plans of runs that are not run. */
public final class Plans {
    private Plans() {}

    /** Prepared for a rate that the user asked for. */
    public static RunPlan of(Scenario scenario, long eventsPerSecond) {
        Workload workload = scenario.workload().withEventsPerSecond(eventsPerSecond);
        return scenario.prepare(of(scenario, workload), scenario.stallNs(), true);
    }

    public static RunPlan of(Scenario scenario, Workload workload) {
        return of(scenario, workload, scenario.fidelities().get(0));
    }

    public static RunPlan of(Scenario scenario, Workload workload, Fidelity fidelity) {
        return new RunPlan(
                scenario.name(),
                fidelity,
                Remedy.NONE,
                1,
                new RunPlan.Traffic(workload, RateLimitMode.TRANSPORT, null),
                new RunPlan.Transport(TransportProfile.LBTRM, TopicChannels.onLoopback(23_000), IdleMode.BACKOFF),
                new RunPlan.Placement(Path.of("run"), "aeron-"),
                List.of());
    }
}
