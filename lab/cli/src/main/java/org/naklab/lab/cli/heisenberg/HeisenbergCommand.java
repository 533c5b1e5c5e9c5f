package org.naklab.lab.cli.heisenberg;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.hunt.HuntOptions;
import org.naklab.lab.cli.hunt.KeptRuns;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.scenarios.experiment.Heisenberg;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.terminal.network.NetworkOptions;
import org.naklab.lab.terminal.runs.FirstSeedOption;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab heisenberg}. */
@Command(
        name = "heisenberg",
        description = {
            "Ask whether looking changes how often it happens: run a scenario with the same seeds with no, normal and full instruments, and compare how "
                    + "many runs hit.",
            "",
            "A run hits if its service sent a NAK; the service counts that by itself. The shares have 95 %% intervals (Wilson), and so has the difference "
                    + "from the runs without instruments (Newcombe). The levels run in turns."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab heisenberg mystery --repeat 10",
            "  naklab heisenberg baseline --repeat 3 --rate 2000 --duration 1.5",
            "",
            "Exit codes: 0 both levels have an answer, 2 there are not enough runs for one."
        })
public final class HeisenbergCommand implements Callable<Integer> {
    private static final double PERCENT = 100;

    private final Terminal terminal;

    @Parameters(paramLabel = "SCENARIO", description = "A scenario from 'naklab list'.")
    private String scenarioName = "";

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "10",
            converter = Converters.Count.class,
            description = "Seeds; each runs three times (default: ${DEFAULT-VALUE}).")
    private int repeat;

    @Mixin
    private FirstSeedOption firstSeed;

    @Option(
            names = "--margin",
            paramLabel = "POINTS",
            defaultValue = "20",
            description = "Differences within so many percentage points are none (default: ${DEFAULT-VALUE}).")
    private double marginPoints;

    @Option(
            names = "--fidelity",
            paramLabel = "F",
            description = "Fidelity (default: the scenario's first that works here).")
    private @Nullable Fidelity fidelity;

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = Converters.Rate.class,
            description = "Events per second (default: the scenario's own).")
    private @Nullable Long rate;

    @Option(
            names = "--duration",
            paramLabel = "S",
            description = "Seconds of traffic of each run (default: the scenario's own).")
    private @Nullable Double durationSeconds;

    @Option(
            names = "--keep-disk",
            paramLabel = "SIZE",
            converter = HuntOptions.SizeConverter.class,
            description =
                    "The space for the directories of the runs, such as 500MB or 5GB; journals go first, then the oldest "
                            + "runs (default: 5GB).")
    private @Nullable Long keptBytes;

    @Mixin
    private RunsOption runs;

    @Mixin
    private NetworkOptions network;

    @Mixin
    private JsonOption json;

    /** Creates the command. */
    public HeisenbergCommand(Terminal terminal) {
        this.terminal = terminal;
        runs = new RunsOption();
        network = new NetworkOptions();
        json = new JsonOption();
    }

    /**
     * The document of {@code --json}.
     *
     * @param margin 0 to 1
     */
    private record Document(
            String scenario, Fidelity fidelity, double margin, String answer, List<LevelDocument> levels) {}

    /** A level of the document; shares are 0 to 1. */
    private record LevelDocument(
            String level,
            @JsonUnwrapped Share share,
            @JsonUnwrapped Difference against,
            Answer answer,
            double p999Us) {
        private record Share(int hits, int runs, double low, double high) {}

        private record Difference(double difference, double differenceLow, double differenceHigh) {}

        static LevelDocument of(Heisenberg.Level level) {
            return new LevelDocument(
                    level.level().label(),
                    new Share(
                            level.hits().hits(),
                            level.hits().trials(),
                            level.hits().low(),
                            level.hits().high()),
                    new Difference(
                            level.difference().value(),
                            level.difference().low(),
                            level.difference().high()),
                    level.answer(),
                    level.p999Us());
        }
    }

    @Override
    public Integer call() throws Exception {
        Scenario scenario = Scenarios.find(scenarioName)
                .orElseThrow(() -> new UsageException("no scenario '" + scenarioName + "'; see 'naklab list'"));
        Fidelity chosen = fidelityOf(scenario);
        if (marginPoints <= 0 || marginPoints >= PERCENT) {
            throw new UsageException("--margin is between 0 and 100 percentage points");
        }
        if (durationSeconds != null && !(durationSeconds > 0)) {
            throw new UsageException("--duration is more than 0 seconds");
        }
        String reason = KernelRecorder.whyNot(RecorderSource.BPF);
        if (!reason.isEmpty()) {
            throw new UsageException("there are no full instruments on this machine: " + reason);
        }
        try {
            return compare(scenario, chosen);
        } finally {
            network.close();
        }
    }

    private int compare(Scenario scenario, Fidelity chosen) throws InterruptedException {
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "wind-down"));
        KeptRuns kept =
                new KeptRuns(keptBytes == null ? HuntOptions.DEFAULT_KEPT_BYTES : keptBytes, new RunDirectories());
        DefaultRuns defaultRuns = new DefaultRuns(network::channels, runs.directory(), Version.current());
        StepProgress steps = new StepProgress(repeat * InstrumentLevel.values().length);
        Heisenberg experiment = new Heisenberg(
                (level, seed) -> {
                    RunPlan plan = plan(scenario, chosen, defaultRuns, level, seed);
                    Heisenberg.Run run = execute(scenario, plan, defaultRuns, level, cancellation);
                    kept.addHit(plan.directory());
                    return run;
                },
                run -> progress(steps, run));
        try {
            experiment.run(repeat, firstSeed.seed(), cancellation);
        } finally {
            cancellation.done();
        }
        if (cancellation.isRequested()) {
            terminal.err().println(steps.interrupted("runs"));
        }
        List<Heisenberg.Level> levels = experiment.levels(marginPoints / PERCENT);
        if (json.isGiven()) {
            json.print(
                    terminal,
                    new Document(
                            scenario.name(),
                            chosen,
                            marginPoints / PERCENT,
                            answer(levels),
                            levels.stream().map(LevelDocument::of).toList()));
        } else {
            print(levels);
        }
        return levels.stream().anyMatch(level -> level.answer() == Answer.NOT_ENOUGH_RUNS)
                ? Verdict.UNKNOWN.exitCode()
                : ExitCode.OK;
    }

    private Fidelity fidelityOf(Scenario scenario) {
        List<Fidelity> possible = fidelity == null ? scenario.fidelities() : List.of(fidelity);
        if (!scenario.fidelities().containsAll(possible)) {
            throw new UsageException(scenario.name() + " cannot be run with fidelity " + fidelity + ", only with "
                    + scenario.fidelities());
        }
        return possible.stream()
                .filter(each -> scenario.refusal(each, Remedy.NONE).isEmpty())
                .findFirst()
                .orElseThrow(() -> new UsageException(scenario.name() + " cannot be run: "
                        + scenario.refusal(possible.get(0), Remedy.NONE).orElse("")));
    }

    private RunPlan plan(
            Scenario scenario, Fidelity chosen, DefaultRuns defaultRuns, InstrumentLevel level, long seed) {
        Long durationNs = durationSeconds == null ? null : Math.round(durationSeconds * Units.NS_PER_S);
        return defaultRuns.place(
                defaultRuns.plan(scenario, chosen, seed, rate, durationNs).observedBy(level));
    }

    private static Heisenberg.Run execute(
            Scenario scenario, RunPlan plan, DefaultRuns defaultRuns, InstrumentLevel level, Cancellation cancellation)
            throws InterruptedException {
        RunOutcome outcome = defaultRuns
                .execute(scenario, plan, new RunListener() {}, cancellation)
                .outcome();
        Optional<ServiceReport> service =
                outcome.subscribers().stream().filter(ServiceReport::servesData).findFirst();
        boolean isCounted = outcome.troubles().isEmpty() && service.isPresent() && !cancellation.isRequested();
        return new Heisenberg.Run(
                level,
                plan.seed(),
                isCounted,
                service.filter(report -> report.intake().transport().naksSent() > 0)
                        .isPresent(),
                service.flatMap(report -> Optional.ofNullable(report.latency()))
                        .map(latency -> latency.dueToBook().p999Us())
                        .orElse(0.0));
    }

    private void progress(StepProgress steps, Heisenberg.Run run) {
        terminal.err()
                .printf(
                        Locale.ROOT,
                        "%sseed %d, instruments %-6s  %s%n",
                        steps.ended(),
                        run.seed(),
                        run.level(),
                        !run.isCounted()
                                ? "not counted: the run did not come to its end"
                                : run.isHit() ? "hit" : "no hit");
    }

    private void print(List<Heisenberg.Level> levels) {
        Table table = new Table(
                terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.LEFT);
        table.row("instruments", "hits", "share, 95 %", "difference", "p99.9", "answer");
        for (Heisenberg.Level level : levels) {
            table.row(
                    level.level().label(),
                    level.hits().hits() + " of " + level.hits().trials(),
                    range(level.hits().low(), level.hits().high()),
                    level.answer() == Answer.REFERENCE
                            ? ""
                            : range(level.difference().low(), level.difference().high()),
                    String.format(Locale.ROOT, "%.1f ms", level.p999Us() / Units.US_PER_MS),
                    level.answer().label());
        }
        terminal.out().println();
        table.print();
        terminal.out().println();
        terminal.out().println("  " + answer(levels));
    }

    private static String range(double low, double high) {
        return String.format(Locale.ROOT, "%.0f to %.0f %%", PERCENT * low, PERCENT * high);
    }

    private static String answer(List<Heisenberg.Level> levels) {
        return levels.stream()
                .filter(level -> level.answer() != Answer.REFERENCE)
                .map(level -> "with " + level.level() + " instruments: " + level.answer())
                .collect(Collectors.joining("; "));
    }
}
