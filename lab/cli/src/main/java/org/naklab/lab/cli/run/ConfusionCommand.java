package org.naklab.lab.cli.run;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.history.RunsOption;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.NetworkOptions;
import org.naklab.lab.cli.terminal.ShutdownHook;
import org.naklab.lab.cli.terminal.Table;
import org.naklab.lab.cli.terminal.Table.Align;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.cli.terminal.Version;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.replica.process.IdleMode;
import org.naklab.lab.replica.process.Installation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.experiment.ConfusionMatrix;
import org.naklab.lab.scenarios.experiment.CpuStealGate;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.lab.scenarios.record.RunRecorder;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.Cancellation;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.messaging.TransportProfile;
import org.naklab.subscriber.SnapshotRateMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab confusion}. */
@Command(
        name = "confusion",
        description = {
            "Inject each cause several times and compare it with the diagnosis: the confusion matrix. "
                    + "The diagnosis has no access to the fault; a run off the diagonal is a wrong diagnosis. A "
                    + "run is repeated, at most twice, if the whole machine stalled or an instrument was blind; "
                    + "under CPU steal, only after the steal has subsided."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab confusion --seeds 5",
            "  naklab confusion --seeds 1 --cause slow-callback --json",
            "",
            "Exit codes: 0 all on the diagonal, 1 not all, 64 wrong usage, 69 port in use by another run "
                    + "or program, 70 internal error."
        })
public final class ConfusionCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "5",
            converter = Converters.Count.class,
            description = "Runs per cause, with consecutive seeds (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(
            names = "--first-seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "First seed (default: ${DEFAULT-VALUE}).")
    private long firstSeed;

    @Option(
            names = "--cause",
            paramLabel = "C",
            description = "Only this cause, such as slow-callback; may be repeated (default: all).")
    private List<String> only = List.of();

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = Converters.Rate.class,
            description = "Events per second (default: each scenario's own).")
    private @Nullable Long rate;

    @Mixin
    private RunsOption runs;

    @Mixin
    private RunJsonOption json;

    @Mixin
    private NetworkOptions network;

    /** Of a run that is in doubt: the machine stood still as well, or an instrument was blind. */
    private static final int ATTEMPTS = 3;

    private final ConfusionMatrix matrix = new ConfusionMatrix();
    private final CpuStealGate quietHost = new CpuStealGate();

    ConfusionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        requireKnown();
        try {
            return confuse();
        } finally {
            network.close();
        }
    }

    private int confuse() throws InterruptedException {
        requirePossible();
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "wind-down"));
        try {
            for (Scenario scenario : Scenarios.all()) {
                for (Map.Entry<Cause, Fidelity> cause : chosen(scenario)) {
                    runAll(scenario, cause.getKey(), cause.getValue(), cancellation);
                }
            }
        } finally {
            cancellation.done();
        }
        if (json.isGiven()) {
            terminal.out().println(matrix.text());
        } else {
            printMatrix();
        }
        return matrix.isDiagonal() ? ExitCode.OK : Verdict.FAIL.exitCode();
    }

    private void requireKnown() {
        List<String> known = Scenarios.all().stream()
                .flatMap(scenario -> scenario.causes().keySet().stream())
                .map(Cause::label)
                .sorted()
                .toList();
        only.stream().filter(cause -> !known.contains(cause)).findFirst().ifPresent(cause -> {
            throw new org.naklab.lab.core.UsageException(
                    "no scenario injects the cause '" + cause + "'; there are: " + String.join(", ", known));
        });
    }

    /** What one cause refuses is said before the others have run for nothing. */
    private void requirePossible() {
        for (Scenario scenario : Scenarios.all()) {
            for (Map.Entry<Cause, Fidelity> cause : chosen(scenario)) {
                if (scenario.refusal(cause.getValue(), Remedy.NONE).isEmpty()) {
                    prepare(scenario, cause.getValue(), firstSeed);
                }
            }
        }
    }

    private List<Map.Entry<Cause, Fidelity>> chosen(Scenario scenario) {
        return scenario.causes().entrySet().stream()
                .filter(cause -> only.isEmpty() || only.contains(cause.getKey().label()))
                .toList();
    }

    private void runAll(Scenario scenario, Cause cause, Fidelity fidelity, Cancellation cancellation)
            throws InterruptedException {
        Optional<String> refusal = scenario.refusal(fidelity, Remedy.NONE);
        if (refusal.isPresent()) {
            matrix.leaveOut(cause, refusal.get());
            terminal.err().println("skipped: " + cause + ": " + refusal.get());
            return;
        }
        for (long seed = firstSeed; seed < firstSeed + seeds && !cancellation.isRequested(); seed++) {
            RunPlan plan = plan(scenario, fidelity, seed);
            RunResult result = run(scenario, plan, cancellation);
            for (int i = 1; i < ATTEMPTS && isInDoubt(scenario, result) && !cancellation.isRequested(); i++) {
                terminal.err().println(cause + " seed " + seed + ": inconclusive, repeating; see " + plan.directory());
                quietHost.await(cancellation, terminal.err()::println);
                plan = plan(scenario, fidelity, seed);
                result = run(scenario, plan, cancellation);
            }
            Cause diagnosed = result.outcome().diagnosis().cause();
            matrix.add(cause, diagnosed);
            terminal.err()
                    .printf(
                            Locale.ROOT,
                            "%-26s seed %-6d %-8s diagnosed %s, %s%s%n",
                            cause,
                            seed,
                            result.verdict().label(),
                            diagnosed,
                            result.outcome().diagnosis().confidence().label(),
                            diagnosed == cause ? "" : "   " + plan.directory());
        }
    }

    private static boolean isInDoubt(Scenario scenario, RunResult result) {
        return result.verdict() == Verdict.UNKNOWN || scenario.isSpoiled(result.outcome());
    }

    private RunResult run(Scenario scenario, RunPlan plan, Cancellation cancellation) throws InterruptedException {
        List<String> arguments = List.of("run", scenario.name(), "--seed", Long.toString(plan.seed()));
        RunListener listener = new RunListener() {
            @Override
            public void onFinding(String what) {
                terminal.err().println("calibration: " + what);
            }
        };
        try (RunRecorder recorder = RunRecorder.begin(scenario, plan, Version.current(), arguments)) {
            return recorder.record(
                    () -> new ScenarioRun(scenario, plan, Installation.current(), listener, cancellation).execute(),
                    record -> {});
        }
    }

    private RunPlan plan(Scenario scenario, Fidelity fidelity, long seed) {
        RunPlan prepared = prepare(scenario, fidelity, seed);
        RunDirectory directory = RunDirectory.create(prepared.directory(), scenario.name(), Instant.now(), seed);
        return prepared.at(directory.path(), "");
    }

    private RunPlan prepare(Scenario scenario, Fidelity fidelity, long seed) {
        Workload workload =
                rate == null ? scenario.workload() : scenario.workload().withEventsPerSecond(rate);
        RunPlan plan = new RunPlan(
                scenario.name(),
                fidelity,
                Remedy.NONE,
                seed,
                workload,
                TransportProfile.LBTRM,
                network.channels(),
                SnapshotRateMode.TRANSPORT,
                IdleMode.BACKOFF,
                null,
                List.of(),
                runs.directory(),
                "");
        return scenario.prepare(plan, scenario.stallNs(), rate != null);
    }

    /** Prints a line for each injected cause. */
    private void printMatrix() {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT);
        table.row("injected", "diagnosed as");
        matrix.rows()
                .forEach((injected, row) -> table.row(
                        injected.toString(),
                        row.entrySet().stream()
                                .map(cell -> cell.getKey() + " x" + cell.getValue()
                                        + (cell.getKey() == injected ? "" : " (!)"))
                                .collect(Collectors.joining("  "))));
        terminal.out().println();
        table.print();
        terminal.out().println(matrix.isDiagonal() ? "  all runs on the diagonal" : "  not all runs on the diagonal");
    }
}
