package org.naklab.lab.cli.run;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.cli.soak.SoakShrinking;
import org.naklab.lab.cli.soak.SoakShrinking.Attempt;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Units;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.lab.scenarios.record.RunDocuments;
import org.naklab.lab.scenarios.record.RunRoom;
import org.naklab.lab.scenarios.soak.Soak;
import org.naklab.lab.scenarios.soak.SoakPlan;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.network.NetworkOptions;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunArchiver;
import org.naklab.lab.terminal.runs.RunJsonOption;
import org.naklab.lab.terminal.runs.RunsOption;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code naklab soak}. */
@Command(
        name = "soak",
        description = {
            "Run the service for a long time under random faults of all kinds, and check at the end that nothing is "
                    + "missing, that the order books are right, that every fault was undone, and that no memory, "
                    + "descriptor, thread or process leaked.",
            "",
            "The seed decides all faults: the same seed and duration give the same plan. The plan is written to "
                    + "faults.json in the directory of the run. If the run fails, the soak runs beginnings of the plan "
                    + "until it knows the shortest one that still fails, and prints the command that runs it again."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab soak --duration 10m --seed 7",
            "  naklab soak --duration 30s --rate 2000",
            "  naklab soak --seed 7 --dry-run > faults.json",
            "  naklab run soak --duration 10m --seed 7 --plan faults.json",
            "",
            "Exit codes: 0 all invariants hold, 1 one does not, 2 unknown (too few faults fired, or the run was cut "
                    + "short), 64 wrong usage, 69 port in use by another run or program, 70 internal error."
        })
public final class SoakCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final Soak scenario = new Soak();

    @Option(
            names = "--duration",
            paramLabel = "T",
            defaultValue = "10m",
            converter = Converters.Duration.class,
            description = "Duration of the flow, such as 90s or 10m (default: ${DEFAULT-VALUE}).")
    private long durationNs;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the order flow and of all faults (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = Converters.Positive.class,
            description = "Events per second (default: 10000).")
    private @Nullable Long rate;

    @Option(
            names = "--swarm",
            description = "Leave a random half of the kinds of faults out, chosen by the seed: kinds that are always "
                    + "together suppress each other.")
    private boolean isSwarm;

    @Option(names = "--no-shrink", description = "Do not search for the shortest failing beginning of the plan.")
    private boolean isNotShrunk;

    @Option(names = "--dry-run", description = "Print the plan in JSON, and run nothing.")
    private boolean isDry;

    @Option(names = "--verbose", description = "List all conditions, also those that hold.")
    private boolean isVerbose;

    @Mixin
    private RunsOption runs;

    @Mixin
    private RunJsonOption json;

    @Mixin
    private NetworkOptions network;

    @Mixin
    private HistoryOptions history;

    @Spec
    private CommandSpec spec;

    SoakCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * The document of {@code --json}.
     *
     * @param run the document of the run
     * @param shortest the shortest beginning of the plan that fails; {@code null}: none was searched
     */
    private record Document(
            @JsonUnwrapped Planned planned,
            String verdict,
            RunDocument run,
            @Nullable Shortest shortest) {}

    /**
     * Tells what the soak does.
     *
     * @param skipped the kinds that cannot be injected here, each with the reason
     * @param faults number of faults in the plan
     * @param plan the file
     */
    private record Planned(long seed, long durationMs, Map<String, String> skipped, int faults, String plan) {}

    /** The shortest beginning of the plan that fails. */
    private record Shortest(int faults, String plan, String replay, RunDocument run) {}

    @Override
    public Integer call() throws InterruptedException {
        FaultPlan drawn = isSwarm ? SoakPlan.swarm(seed, durationNs) : SoakPlan.of(seed, durationNs);
        Map<String, String> obstacles = SoakPlan.obstacles(drawn);
        FaultPlan plan = SoakPlan.without(drawn, obstacles.keySet());
        obstacles.forEach((kind, reason) -> terminal.err().println("note: no " + kind + ": " + reason));
        if (isDry) {
            terminal.out().println(text(plan));
            return ExitCode.OK;
        }
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "wind-down"));
        try {
            return soak(plan, obstacles, cancellation).exitCode();
        } finally {
            network.close();
            cancellation.done();
        }
    }

    private Verdict soak(FaultPlan plan, Map<String, String> obstacles, Cancellation cancellation)
            throws InterruptedException {
        RunExecution execution = new RunExecution(
                new RunArchiver(history.url(runs.directory()), terminal),
                terminal,
                runs.directory(),
                spec.commandLine().getParseResult().originalArgs(),
                cancellation);
        Attempt whole =
                run(execution, plan, durationNs, new RunProgressPrinter(terminal, json.isGiven(), 1, isVerbose));
        Verdict verdict = whole.result().verdict();
        boolean isShrunk = verdict == Verdict.FAIL && !isNotShrunk && !cancellation.isRequested();
        Attempt shortest = isShrunk ? shrink(execution, whole, cancellation) : null;
        if (json.isGiven()) {
            terminal.out()
                    .println(Json.pretty(new Document(
                            new Planned(
                                    seed,
                                    durationNs / Units.MS_NS,
                                    obstacles,
                                    plan.faults().size(),
                                    whole.file().toString()),
                            verdict.label(),
                            RunDocuments.of(whole.result()),
                            shortest == null ? null : document(shortest))));
        }
        return verdict;
    }

    private static Shortest document(Attempt shortest) {
        return new Shortest(
                shortest.faults().faults().size(),
                shortest.file().toString(),
                shortest.replay(),
                RunDocuments.of(shortest.result()));
    }

    private Attempt shrink(RunExecution execution, Attempt whole, Cancellation cancellation)
            throws InterruptedException {
        StepProgress steps = SoakShrinking.steps(whole);
        RunProgressPrinter progress = new RunProgressPrinter(terminal, steps);
        return new SoakShrinking(terminal, json.isGiven() ? terminal.err() : terminal.out(), cancellation, steps)
                .shrink(whole, durationNs, (faults, flowNs) -> run(execution, faults, flowNs, progress));
    }

    private Attempt run(RunExecution execution, FaultPlan faults, long flowNs, RunProgressPrinter listener)
            throws InterruptedException {
        Workload usual = scenario.workload().withDurationNs(flowNs);
        Workload workload = rate == null ? usual : usual.withEventsPerSecond(rate);
        Path directory = RunDirectory.create(
                        runs.directory(),
                        scenario.name(),
                        Instant.now(),
                        seed,
                        RunRoom.bytes(workload, InstrumentLevel.NORMAL))
                .path();
        Path file = directory.resolve(RunPlan.FAULTS_FILE);
        Json.write(file, Json.tree(faults, JsonNode.class));
        RunPlan plan = new RunPlan(
                scenario.name(),
                Fidelity.NONE,
                Remedy.NONE,
                seed,
                new RunPlan.Traffic(workload, RateLimitMode.TRANSPORT, null),
                new RunPlan.Transport(TransportProfile.LBTRM, network.channels(), IdleMode.BACKOFF),
                new RunPlan.Placement(directory, ""),
                List.of(summary(faults)),
                new AddedFaults(faults.faults(), List.of("--plan", file.toString())));
        return new Attempt(faults, execution.run(scenario, plan, listener));
    }

    private static String summary(FaultPlan faults) {
        long kinds = faults.faults().stream().map(FaultSpec::kind).distinct().count();
        return Format.counted(faults.faults().size(), "fault") + " of " + Format.counted(kinds, "kind")
                + ", from the seed; faults of containers are left out, because these processes are in none";
    }

    private static String text(FaultPlan plan) {
        return Json.pretty(Json.tree(plan, JsonNode.class));
    }
}
