package org.naklab.lab.scenarios.experiment;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.replica.process.Installation;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.lab.scenarios.record.RunRecorder;
import org.naklab.lab.scenarios.runner.Cancellation;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * Executes the runs of a {@link Confusion} with the default options, each in a directory of its own.
 *
 * @param rate of the order flow, events per second; {@code null}: the scenario's own
 * @param channels of the next run
 * @param directory of all runs
 * @param version of the lab, for the record
 * @param listener is told about each run
 */
public record ConfusionRuns(
        @Nullable Long rate, Supplier<TopicChannels> channels, Path directory, String version, RunListener listener)
        implements Confusion.Runs {
    @Override
    public void check(Confusion.Case chosen, long seed) {
        RunPlan unused = prepare(chosen, seed);
    }

    @Override
    public Confusion.Attempt run(Confusion.Case chosen, long seed, Cancellation cancellation)
            throws InterruptedException {
        Scenario scenario = chosen.scenario();
        RunPlan prepared = prepare(chosen, seed);
        Path own = RunDirectory.create(directory, scenario.name(), Instant.now(), seed)
                .path();
        RunPlan plan = prepared.at(own, "");
        List<String> arguments = List.of("run", scenario.name(), "--seed", Long.toString(seed));
        try (RunRecorder recorder = RunRecorder.begin(scenario, plan, version, arguments)) {
            return new Confusion.Attempt(
                    recorder.record(
                            () -> new ScenarioRun(scenario, plan, Installation.current(), listener, cancellation)
                                    .execute(),
                            record -> {}),
                    own);
        }
    }

    private RunPlan prepare(Confusion.Case chosen, long seed) {
        Scenario scenario = chosen.scenario();
        Workload usual = scenario.workload();
        RunPlan plan = new RunPlan(
                scenario.name(),
                chosen.fidelity(),
                Remedy.NONE,
                seed,
                new RunPlan.Traffic(
                        rate == null ? usual : usual.withEventsPerSecond(rate), RateLimitMode.TRANSPORT, null),
                new RunPlan.Transport(TransportProfile.LBTRM, channels.get(), IdleMode.BACKOFF),
                new RunPlan.Placement(directory, ""),
                List.of());
        return scenario.prepare(plan, scenario.stallNs(), rate != null);
    }
}
