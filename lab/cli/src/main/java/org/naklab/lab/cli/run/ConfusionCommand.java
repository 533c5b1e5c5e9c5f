package org.naklab.lab.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.CausePair;
import org.naklab.lab.scenarios.experiment.Confusion;
import org.naklab.lab.scenarios.experiment.ConfusionMatrix;
import org.naklab.lab.scenarios.experiment.ConfusionRuns;
import org.naklab.lab.scenarios.experiment.CpuStealGate;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.scenarios.experiment.PairExperiment;
import org.naklab.lab.scenarios.experiment.PairMatrix;
import org.naklab.lab.scenarios.experiment.PairRuns;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.MachineLoad;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.terminal.network.NetworkOptions;
import org.naklab.lab.terminal.runs.FirstSeedOption;
import org.naklab.lab.terminal.runs.RunJsonOption;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code naklab confusion}. */
@Command(
        name = "confusion",
        description = {
            "Inject each cause several times and compare it with the diagnosis: the confusion matrix. "
                    + "The diagnosis has no access to the fault; a run off the diagonal is a wrong diagnosis. A "
                    + "run is repeated, at most twice, if the whole machine stalled or an instrument was blind; "
                    + "under CPU steal, only after the steal has subsided.",
            "",
            "With --pairs, two causes at once: each at a receiver of its own, or one after the other at the service. "
                    + "Both must be named, each at its receiver; the table says which one is named first."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab confusion --seeds 5",
            "  naklab confusion --seeds 1 --cause slow-callback --json",
            "  naklab confusion --seeds 3 --html confusion.html",
            "  naklab confusion --pairs --seeds 3",
            "",
            "Exit codes: 0 all on the diagonal and none failed, 1 otherwise, 64 wrong usage, 69 port in use by another"
                    + " run or program, 70 internal error."
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

    @Mixin
    private FirstSeedOption firstSeed;

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

    @Option(names = "--html", paramLabel = "FILE", description = "Write the matrix and all attempts as an HTML page.")
    private @Nullable Path html;

    @Option(names = "--pairs", description = "Inject pairs of causes in one run.")
    private boolean isOfPairs;

    @Mixin
    private RunsOption runs;

    @Mixin
    private RunJsonOption json;

    @Mixin
    private NetworkOptions network;

    @Spec
    private CommandSpec spec;

    private ConfusionMatrix matrix = new ConfusionMatrix();
    private final List<ConfusionPage.Attempt> attempts = new ArrayList<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    ConfusionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (isOfPairs && !only.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--pairs has its own causes: omit --cause");
        }
        if (html != null) {
            OutputFile.requireWritableInNewDirectory(html);
        }
        try {
            if (isOfPairs) {
                return confusePairs();
            }
            return confuse(Confusion.cases(Scenarios.all(), only));
        } finally {
            network.close();
        }
    }

    private <T> T untilSignal(StepProgress steps, ShutdownHook.Cancellable<T> experiment) throws Exception {
        MachineLoad.warn(terminal, "a verdict may be UNKNOWN: stop them; a run in doubt is repeated");
        return ShutdownHook.untilSignal(cancellation -> {
            T found = experiment.run(cancellation);
            if (cancellation.isRequested()) {
                terminal.err().println(steps.interrupted("runs"));
            }
            return found;
        });
    }

    private int confuse(List<Confusion.Case> cases) throws Exception {
        StepProgress steps = new StepProgress(cases.size() * seeds);
        matrix = untilSignal(
                steps, cancellation -> new Confusion(cases, runs(), new CpuStealGate()::await, new Progress(steps))
                        .run(seeds, firstSeed.seed(), cancellation));
        if (html != null) {
            ConfusionPage.write(html, attempts, leftOut);
            terminal.err().println("confusion matrix in " + html);
        }
        if (json.isGiven()) {
            terminal.out().println(matrix.text());
        } else {
            printMatrix();
        }
        return matrix.isSuccess() ? ExitCode.OK : Verdict.FAIL.exitCode();
    }

    private int confusePairs() throws Exception {
        List<CausePair> pairs = CausePair.defaults();
        StepProgress steps = new StepProgress(seeds
                * (int) pairs.stream().filter(pair -> pair.refusal().isEmpty()).count());
        PairsPrinter printer = new PairsPrinter(terminal, steps);
        PairRuns pairRuns = new PairRuns(rate, defaultRuns(), findings());
        PairMatrix result = untilSignal(
                steps, cancellation -> new PairExperiment(pairs, pairRuns, new CpuStealGate()::await, printer)
                        .run(seeds, firstSeed.seed(), cancellation));
        if (html != null) {
            printer.write(html);
            terminal.err().println("confusion matrix in " + html);
        }
        if (json.isGiven()) {
            terminal.out().println(result.text());
        } else {
            printer.print(result);
        }
        return result.isSuccess() ? ExitCode.OK : Verdict.FAIL.exitCode();
    }

    private ConfusionRuns runs() {
        return new ConfusionRuns(rate, defaultRuns(), findings());
    }

    private RunListener findings() {
        return new RunListener() {
            @Override
            public void onFinding(String what) {
                terminal.err().println("calibration: " + what);
            }
        };
    }

    private DefaultRuns defaultRuns() {
        return new DefaultRuns(network::channels, runs.directory(), Version.current());
    }

    private static ConfusionPage.Attempt attempt(
            Cause injected, long seed, Confusion.Attempt attempt, boolean isCounted) {
        RunResult result = attempt.result();
        Cause diagnosed = result.outcome().diagnosis().cause();
        return new ConfusionPage.Attempt(
                injected.label(),
                seed,
                diagnosed.label(),
                result.outcome().diagnosis().confidence().label(),
                result.verdict().label(),
                diagnosed == injected,
                isCounted,
                attempt.directory());
    }

    /** Prints a line for each run on standard error, and keeps it for the page. */
    private final class Progress implements Confusion.Listener {
        private final StepProgress steps;

        private Progress(StepProgress steps) {
            this.steps = steps;
        }

        @Override
        public void onSkipped(Cause cause, String reason) {
            leftOut.put(cause.label(), reason);
            terminal.err().println("skipped: " + cause + ": " + reason);
        }

        @Override
        public void onTrial(Trial<Confusion.Case, Confusion.Attempt> trial) {
            Cause cause = trial.arm().cause();
            long seed = trial.seed();
            Confusion.Attempt attempt = trial.result();
            attempts.add(attempt(cause, seed, attempt, trial.isCounted()));
            if (!trial.isCounted()) {
                terminal.err()
                        .println(cause + " seed " + seed + ": inconclusive, repeating; see " + attempt.directory());
                return;
            }
            RunResult result = attempt.result();
            Cause diagnosed = result.outcome().diagnosis().cause();
            boolean isSuccess = diagnosed == cause && result.verdict() != Verdict.FAIL;
            String head = String.format(
                    Locale.ROOT,
                    "%s%-26s seed %-6d %-8s ",
                    steps.ended(),
                    cause,
                    seed,
                    result.verdict().label());
            String text = "diagnosed " + diagnosed + ", "
                    + result.outcome().diagnosis().confidence().label();
            terminal.printHanging(terminal.err(), head, isSuccess ? text : text + "   " + attempt.directory());
        }

        @Override
        public void onWaiting(String what) {
            terminal.err().println(what);
        }
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
        matrix.failed().forEach((injected, count) -> {
            if (count > 0) {
                terminal.out().println("  " + injected + ": " + count + " runs with the verdict fail");
            }
        });
    }
}
