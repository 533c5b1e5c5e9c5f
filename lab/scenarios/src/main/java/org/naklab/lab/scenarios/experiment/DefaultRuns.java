package org.naklab.lab.scenarios.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.process.Installation;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.lab.scenarios.record.RunOwnership;
import org.naklab.lab.scenarios.record.RunRecorder;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.record.RunRoom;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans and executes runs with the default options, each in a directory of its own.
 *
 * @param channels of the next run
 * @param directory of all runs
 * @param version of the lab, for the record
 */
public record DefaultRuns(Supplier<TopicChannels> channels, Path directory, String version) {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefaultRuns.class);

    /**
     * Plans a run; its directory is that of all runs until it is placed.
     *
     * @param rate of the order flow, events per second; {@code null}: the scenario's own
     * @param durationNs of the order flow, ns; {@code null}: the scenario's own
     * @throws org.naklab.lab.core.UsageException if the scenario cannot be run like this
     */
    public RunPlan plan(
            Scenario scenario, Fidelity fidelity, long seed, @Nullable Long rate, @Nullable Long durationNs) {
        Workload usual = scenario.workload();
        Workload paced = rate == null ? usual : usual.withEventsPerSecond(rate);
        RunPlan plan = new RunPlan(
                scenario.name(),
                fidelity,
                Remedy.NONE,
                seed,
                new RunPlan.Traffic(
                        durationNs == null ? paced : paced.withDurationNs(durationNs), RateLimitMode.TRANSPORT, null),
                new RunPlan.Transport(TransportProfile.LBTRM, channels.get(), IdleMode.BACKOFF),
                new RunPlan.Placement(directory, ""),
                List.of());
        return scenario.prepare(plan, scenario.stallNs(), rate != null);
    }

    /** Returns a plan with a new directory of its own. */
    public RunPlan place(RunPlan plan) {
        return plan.at(
                RunDirectory.create(directory, plan.scenario(), Instant.now(), plan.seed(), RunRoom.bytes(plan))
                        .path(),
                "");
    }

    /**
     * Executes a placed plan, and writes its record.
     *
     * @param listener is told about the run
     */
    public RunResult execute(Scenario scenario, RunPlan plan, RunListener listener, Cancellation cancellation)
            throws InterruptedException {
        List<String> arguments = List.of("run", scenario.name(), "--seed", Long.toString(plan.seed()));
        RunResult result;
        try (RunRecorder recorder = RunRecorder.begin(scenario, plan, version, arguments)) {
            result = recorder.record(
                    () -> new ScenarioRun(scenario, plan, Installation.current(), listener, cancellation).execute(),
                    record -> {});
        }
        try {
            RunOwnership.give(plan.directory(), System.getenv());
        } catch (IOException e) {
            LOGGER.warn("the run {} still belongs to root", plan.directory(), e);
        }
        return result;
    }
}
