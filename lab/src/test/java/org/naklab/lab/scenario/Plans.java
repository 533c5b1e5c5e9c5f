package org.naklab.lab.scenario;

import java.nio.file.Path;
import java.util.List;
import org.naklab.lab.process.Idle;
import org.naklab.lab.process.RateLimiting;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;

/** Plans of runs that are not run. */
final class Plans {
    private Plans() {}

    /** Prepared for a rate that the user asked for. */
    static RunPlan of(Scenario scenario, long eventsPerSecond) {
        Workload workload = scenario.workload().withEventsPerSecond(eventsPerSecond);
        return scenario.prepare(of(scenario, workload), scenario.stallNs(), true);
    }

    static RunPlan of(Scenario scenario, Workload workload) {
        return of(scenario, workload, Fidelity.NONE);
    }

    static RunPlan of(Scenario scenario, Workload workload, Fidelity fidelity) {
        return new RunPlan(
                scenario.name(),
                fidelity,
                Remedy.NONE,
                1,
                workload,
                TransportProfile.LBTRM,
                TopicChannels.onLoopback(23_000),
                RateLimiting.TRANSPORT,
                Idle.BACKOFF,
                null,
                List.of(),
                Path.of("run"),
                "aeron-");
    }
}
