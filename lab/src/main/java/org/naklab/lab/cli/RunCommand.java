package org.naklab.lab.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.process.Installation;
import org.naklab.lab.run.Cancellation;
import org.naklab.lab.run.RunDocument;
import org.naklab.lab.run.RunListener;
import org.naklab.lab.run.RunRecord;
import org.naklab.lab.run.RunResult;
import org.naklab.lab.run.ScenarioRun;
import org.naklab.lab.scenario.RunPlan;
import org.naklab.lab.scenario.Scenario;
import org.naklab.lab.scenario.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code naklab run}. */
@Command(
        name = "run",
        description = "Run a scenario: processes up, order flow, counters, journal, verdict.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab run baseline",
            "  naklab run baseline --rate 50000 --duration 20",
            "  naklab run baseline --source message.csv",
            "  naklab run baseline --source message.csv.gz --speed 100",
            "  naklab run baseline --seed 7 --repeat 3 --json",
            "",
            "Exit codes: 0 pass, 1 fail, 2 unknown, 64 wrong usage."
        })
final class RunCommand implements Callable<Integer> {
    /** All that a run takes to end in order: last words, repair, journal forced to disk. */
    private static final long WIND_DOWN_MS = 60_000;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RunOptions options;

    @Option(names = "--json", description = "One JSON document on standard output, everything else on standard error.")
    private boolean json;

    RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        Scenario scenario = options.requireScenario(spec);
        options.check(spec, scenario);
        SourceCheck.check(options.source(), terminal);
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> windDown(cancellation), "wind-down"));
        try {
            return run(scenario, cancellation);
        } finally {
            cancellation.done();
        }
    }

    private int run(Scenario scenario, Cancellation cancellation) throws InterruptedException {
        RunListener listener = new RunConsole(terminal, json);
        List<RunResult> results = new ArrayList<>();
        for (int i = 0; i < options.repeat() && !cancellation.isRequested(); i++) {
            RunPlan plan = options.plan(scenario, options.seed() + i);
            RunResult result =
                    new ScenarioRun(scenario, plan, Installation.current(), listener, cancellation).execute();
            RunRecord.write(
                    result,
                    Version.current(),
                    spec.commandLine().getParseResult().originalArgs());
            listener.onFinished(result);
            results.add(result);
        }
        if (json) {
            terminal.out()
                    .println(options.repeat() == 1 ? RunDocument.text(results.get(0)) : RunDocument.text(results));
        }
        return Verdict.of(results.stream().map(RunResult::verdict).toList()).exitCode();
    }

    /** Ctrl-C: the run's own thread ends what it started; this one only asks and waits. */
    private static void windDown(Cancellation cancellation) {
        cancellation.request();
        try {
            cancellation.awaitDone(WIND_DOWN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
