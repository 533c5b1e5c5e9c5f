package org.naklab.lab.cli.hunt;

import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.record.RunDocuments;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.terminal.CommandHook;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;

/** Hunts by runs of a scenario, prints the summary and returns the exit code. */
public final class HuntLoop {
    private final Terminal terminal;
    private final HuntOptions options;
    private final boolean isJson;

    /** @param isJson whether the summary is printed as one document */
    public HuntLoop(Terminal terminal, HuntOptions options, boolean isJson) {
        this.terminal = terminal;
        this.options = options;
        this.isJson = isJson;
    }

    /** Executes one run of the scenario. */
    public interface Execution {
        RunResult run(long seed, RunListener listener) throws InterruptedException;
    }

    /**
     * Hunts.
     *
     * @param disk the directories of the runs
     * @return 3 if there was a hit, 2 if too many runs could not tell, 0 otherwise
     */
    public int run(String scenario, long seed, RunFiles disk, Cancellation cancellation, Execution execution)
            throws InterruptedException {
        HuntOptions.Limits limits = options.limits();
        CommandHook hook = options.command().map(CommandHook::new).orElse(null);
        HuntPrinter printer = new HuntPrinter(terminal, limits, hook, System::nanoTime);
        Hunt hunt = new Hunt(
                scenario,
                options.condition(),
                limits,
                new KeptRuns(limits.keptBytes(), disk),
                printer,
                System::nanoTime,
                cancellation::isRequested);
        printer.begin(scenario, options.condition(), seed);
        HuntSummary summary = hunt.run(seed, each -> finished(execution.run(each, printer)));
        printer.end(summary, isJson ? terminal.err() : terminal.out());
        if (isJson) {
            terminal.out().println(Json.pretty(summary));
        }
        if (!summary.kept().hits().isEmpty()) {
            return ExitCode.FOUND;
        }
        return summary.course().ended() == HuntSummary.End.INCONCLUSIVE ? ExitCode.UNKNOWN : ExitCode.OK;
    }

    private static Hunt.Finished finished(RunResult result) {
        return new Hunt.Finished(
                result.outcome().plan().directory(),
                RunDocuments.of(result),
                result.outcome().diagnosis().confidence().label());
    }
}
