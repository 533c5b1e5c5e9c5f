package org.naklab.lab.cli.run;

import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.cli.hunt.HuntLoop;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.RemedyComparison;
import org.naklab.lab.scenarios.record.RunDocuments;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.terminal.FailedRequests;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.live.LiveView;
import org.naklab.lab.terminal.live.ServeOption;
import org.naklab.lab.terminal.runs.RunArchiver;
import org.naklab.lab.terminal.runs.RunJsonOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code naklab run}. */
@Command(
        name = "run",
        description = "Run a scenario: start processes, send order flow, verify the journal, give a verdict.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab run mystery",
            "  naklab run mystery --remedy bind-now",
            "  naklab run mystery --remedy all --repeat 5",
            "  naklab run mystery --remedy all --repeat 5 --html comparison.html",
            "  naklab run mystery --stall 300ms --json",
            "  naklab run baseline --rate 50000 --duration 20",
            "  naklab run baseline --source message.csv",
            "  naklab run baseline --source message.csv.gz --speed 100",
            "  naklab run baseline --seed 7 --repeat 3 --json",
            "  naklab run baseline --fault slow-callback:delay=150ms,maxCalls=1@+3s",
            "  naklab run baseline --fault gc-pause@+1s --fault datagram-loss:probability=1%%",
            "  naklab run slow-consumer --plan faults.json",
            "  docker compose up -d && naklab run mystery --attach",
            "  naklab run baseline --until nak --max 12h",
            "  naklab run baseline --until 'stall>100ms' --windows 5 --keep-disk 2GB",
            "  naklab run baseline --quiet --junit target/naklab.xml",
            "  naklab run mystery --serve",
            "  naklab run mystery --until fail --exec 'logger \"$NAKLAB_WINDOW\"'",
            "",
            "With --serve, browsers show the run while it goes on: its strip charts, stalls and events. The verdict appears "
                    + "when it has ended, and the cause when a viewer asks for it. The page stays until Ctrl-C.",
            "",
            "With --json and one run: the document of the run. With --repeat or --remedy all: one "
                    + "document with the documents of the runs (runs), the result of each remedy (summary) and the "
                    + "worst verdict (verdict).",
            "",
            "With --until, the runs that are no hit are deleted, except for the latest one. The command of --exec has "
                    + "NAKLAB_WINDOW (the directory of the run), NAKLAB_RUN (its number), NAKLAB_SEED, NAKLAB_CAUSE "
                    + "and NAKLAB_CONFIDENCE in its environment; the hunt goes on when it has ended. With --json: one "
                    + "document with the hits and their rate. Exit codes of a hunt: 0 no hit, 3 hit, 2 inconclusive runs.",
            "",
            "Exit codes: 0 pass, 1 fail, 2 unknown, 64 wrong usage, 69 port in use by another run or program,"
                    + " 70 internal error."
        })
public final class RunCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RunOptions options;

    @Mixin
    private RunJsonOption json;

    @Mixin
    private ServeOption serve;

    /** @param terminal takes what the command prints */
    public RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        Scenario scenario = check();
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "wind-down"));
        try (LiveView view = serve.start(LiveFeed.ofRun(scenario.name()), new FailedRequests(terminal.err()))) {
            Runtime.getRuntime().addShutdownHook(new Thread(view::close, "view-close"));
            view.url().ifPresent(url -> terminal.err().println("live at " + url));
            int code = execute(scenario, view, cancellation);
            if (!cancellation.isRequested()) {
                view.url().ifPresent(url -> terminal.err().println("the last run stays at " + url + " until Ctrl-C"));
                view.awaitClosed();
            }
            return code;
        } finally {
            cancellation.done();
        }
    }

    /**
     * Checks what was asked for, and prints notes on it.
     *
     * @throws org.naklab.lab.core.LabException it cannot be run here, or not like this
     */
    public Scenario check() {
        Scenario scenario = options.requireScenario(spec);
        options.check(spec);
        options.checkObstacles();
        options.obstacle(scenario).ifPresent(why -> {
            throw new UnavailableException(scenario.name() + " cannot run here: " + why);
        });
        options.checkFiles();
        options.notes().forEach(note -> terminal.err().println("note: " + note));
        return scenario;
    }

    /**
     * Runs what was asked for to its end.
     *
     * @param scenario that was checked
     * @param view shows it while it goes on
     * @return the exit code
     */
    public int execute(Scenario scenario, LiveView view, Cancellation cancellation) throws InterruptedException {
        RunExecution execution = new RunExecution(
                new RunArchiver(options.history(), terminal),
                terminal,
                options.runs(),
                spec.commandLine().getParseResult().originalArgs(),
                cancellation,
                view);
        return releasing(() -> options.hunt().isGiven()
                ? hunt(scenario, execution, cancellation)
                : run(scenario, execution::run, cancellation));
    }

    /** Runs that end with an exit code. */
    @FunctionalInterface
    interface Runs {
        int run() throws InterruptedException;
    }

    /** Gives back what the plans of the runs hold, however the runs end. */
    int releasing(Runs runs) throws InterruptedException {
        try {
            return runs.run();
        } finally {
            options.release();
        }
    }

    /** Executes a placed plan. */
    @FunctionalInterface
    interface Execution {
        RunResult run(Scenario scenario, RunPlan plan, RunListener listener) throws InterruptedException;
    }

    /** Runs what was asked for, prints the results, and writes the files with them. */
    int run(Scenario scenario, Execution execution, Cancellation cancellation) throws InterruptedException {
        StallOptions.Chosen fidelity = options.choose(scenario);
        List<Remedy> remedies = options.stall().remedies(scenario, fidelity.fidelity());
        int runs = options.repeat() * remedies.size();
        RunListener listener = options.ci().isQuiet()
                ? RunSummaryPrinter.onlyVerdicts(terminal, json.isGiven())
                : new RunProgressPrinter(terminal, json.isGiven(), runs, options.isVerbose());
        options.stall().leftOut(scenario, fidelity.fidelity()).forEach(reason -> terminal.err()
                .println("note: " + reason));
        SourceCheck.check(options.source(), terminal);
        RemedyComparison comparison =
                RemedyComparison.run(remedies, options.repeat(), options.seed(), cancellation, (remedy, seed) -> {
                    for (int retries = 0; ; retries++) {
                        RunResult result =
                                execution.run(scenario, options.plan(scenario, fidelity, remedy, seed), listener);
                        if (retries == options.retry() || !isInDoubt(result, cancellation)) {
                            return result;
                        }
                        terminal.err()
                                .println("note: the run is inconclusive; repeating it (" + (retries + 1) + " of "
                                        + options.retry() + ")");
                    }
                });
        if (runs > 1 && !options.ci().isQuiet()) {
            new RemedyComparisonTable(terminal, json.isGiven() ? terminal.err() : terminal.out()).print(comparison);
        }
        options.html().ifPresent(file -> {
            RemedyComparisonPage.write(file, comparison);
            terminal.err().println("comparison of the runs in " + file);
        });
        options.ci().write(comparison.results(), terminal);
        if (json.isGiven()) {
            terminal.out()
                    .println(runs == 1 ? RunDocuments.text(comparison.results().get(0)) : comparison.text());
        }
        return comparison.verdict().exitCode();
    }

    private int hunt(Scenario scenario, RunExecution execution, Cancellation cancellation) throws InterruptedException {
        StallOptions.Chosen fidelity = options.choose(scenario);
        Remedy remedy = options.stall().remedies(scenario, fidelity.fidelity()).get(0);
        SourceCheck.check(options.source(), terminal);
        int code = new HuntLoop(terminal, options.hunt(), json.isGiven())
                .run(
                        scenario.name(),
                        options.seed(),
                        execution.files(),
                        cancellation,
                        (seed, listener) ->
                                execution.run(scenario, options.plan(scenario, fidelity, remedy, seed), listener));
        execution.rewriteCalendar();
        return code;
    }

    private static boolean isInDoubt(RunResult result, Cancellation cancellation) {
        return result.verdict() == Verdict.UNKNOWN && !cancellation.isRequested();
    }
}
