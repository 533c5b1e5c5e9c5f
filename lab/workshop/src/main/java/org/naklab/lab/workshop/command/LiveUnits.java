package org.naklab.lab.workshop.command;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.CaseWriter;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.cases.Truth;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.Installation;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.record.RunDocuments;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.lab.terminal.network.PortLock;
import org.naklab.lab.workshop.live.LiveCases;
import org.naklab.messaging.MulticastProbe;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * Runs the scenario of a recorded case again. Nothing is printed, no directory has its name, no file has the faults, and the run takes no commands. No
 * message of a failure says what was run.
 */
final class LiveUnits implements LiveCases {
    private static final String INSTEAD =
            ": start it again when the machine is quiet, or leave out --live for a recorded case";
    private static final double PERCENT = 100;
    /** Ports of a plan that is never run. */
    private static final int DRAFT_PORT = 1_024;

    private final Path directory;
    private final Cancellation cancellation;

    /**
     * @param directory below which the runs are made
     * @param cancellation ends a run in order
     */
    LiveUnits(Path directory, Cancellation cancellation) {
        this.directory = directory;
        this.cancellation = cancellation;
    }

    @Override
    public boolean canMake(Path like) {
        return truth(like)
                .filter(Truth::isOfLabAlone)
                .map(Truth::run)
                .filter(parameters -> Scenarios.find(parameters.scenario())
                        .filter(scenario ->
                                isCauseOf(scenario, parameters, expected(like).cause())
                                        && isPossible(scenario, parameters))
                        .isPresent())
                .isPresent();
    }

    private static Optional<Truth> truth(Path like) {
        try (CaseReader reader = CaseReader.open(like)) {
            return reader.truth();
        }
    }

    private static Expected expected(Path like) {
        return Json.read(like.resolve(Expected.NAME), Expected.class);
    }

    /** A remedy may take the cause away. */
    private static boolean isCauseOf(Scenario scenario, RunCase parameters, String cause) {
        boolean isRemedied = !parameters.remedy().equals(Remedy.NONE.label());
        return scenario.causes().keySet().stream().anyMatch(each -> each.label().equals(cause))
                || (isRemedied && cause.equals(Cause.CLEAN.label()));
    }

    private boolean isPossible(Scenario scenario, RunCase parameters) {
        Optional<Remedy> remedy = remedy(scenario, parameters);
        Fidelity fidelity = fidelity(parameters);
        return remedy.isPresent()
                && scenario.fidelities().contains(fidelity)
                && scenario.obstacle().isEmpty()
                && scenario.refusal(fidelity, remedy.get()).isEmpty()
                && !scenario.isContained(plan(
                        scenario, parameters, 0, scenario.workload(), TopicChannels.onLoopback(DRAFT_PORT), directory));
    }

    private static Optional<Remedy> remedy(Scenario scenario, RunCase parameters) {
        return scenario.remedies().stream()
                .filter(each -> each.label().equals(parameters.remedy()))
                .findFirst();
    }

    private static Fidelity fidelity(RunCase parameters) {
        return Arrays.stream(Fidelity.values())
                .filter(each -> each.label().equals(parameters.fidelity()))
                .findFirst()
                .orElse(Fidelity.NONE);
    }

    private static RunPlan plan(
            Scenario scenario,
            RunCase parameters,
            long seed,
            Workload workload,
            TopicChannels channels,
            Path itsDirectory) {
        return new RunPlan(
                scenario.name(),
                fidelity(parameters),
                remedy(scenario, parameters).orElse(Remedy.NONE),
                seed,
                new RunPlan.Traffic(workload, RateLimitMode.TRANSPORT, null),
                new RunPlan.Transport(
                        TransportProfile.valueOf(parameters.profile().toUpperCase(Locale.ROOT)),
                        channels,
                        IdleMode.BACKOFF),
                new RunPlan.Placement(itsDirectory, "").sealed(),
                List.of());
    }

    /** The usual rate is the scenario's own, or a lower one that this machine has room for. */
    private static long rate(Workload usual, Draw draw) {
        return Math.round(usual.eventsPerSecond() * draw.ratePercent() / PERCENT);
    }

    @Override
    public Path make(Path like, Draw draw, Path itsDirectory) throws InterruptedException {
        RunCase parameters = truth(like).orElseThrow().run();
        Scenario scenario = Scenarios.find(parameters.scenario()).orElseThrow();
        try (PortLock ports = PortLock.ofFreePorts()) {
            TopicChannels channels = TopicChannels.onLoopback(ports.basePort());
            MulticastProbe.check(channels);
            RunPlan usual = scenario.prepare(
                    plan(scenario, parameters, draw.seed(), scenario.workload(), channels, itsDirectory),
                    scenario.stallNs(),
                    false);
            RunPlan plan = scenario.prepare(
                    plan(
                            scenario,
                            parameters,
                            draw.seed(),
                            scenario.workload().withEventsPerSecond(rate(usual.workload(), draw)),
                            channels,
                            itsDirectory),
                    scenario.stallNs(),
                    true);
            RunResult result =
                    new ScenarioRun(scenario, plan, Installation.current(), RunListener.NONE, cancellation).execute();
            // On a busy machine some conditions are undecided; what counts is that the evidence shows what it shows in
            // the recorded case.
            if (result.verdict() == Verdict.FAIL
                    || !expected(like).differences(result.outcome().diagnosis()).isEmpty()) {
                throw new UnavailableException("the machine disturbed the run" + INSTEAD);
            }
            Path made = itsDirectory.resolve(CaseReader.DIRECTORY);
            CaseWriter.write(made, RunDocuments.truthOf(result));
            return made;
        } catch (UnavailableException e) {
            throw e;
        } catch (LabException e) {
            throw new UnavailableException("the run came to nothing" + INSTEAD, e);
        }
    }
}
