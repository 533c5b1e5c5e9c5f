package org.naklab.lab.cli.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.RunFigures;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab runs}. */
@Command(
        name = "runs",
        description = "List the latest runs by name, with their verdicts; other commands take the names.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A name begins with the time in UTC and ends with the seed. The stall is the longest of a receipt thread; lost"
                    + " are the datagrams that full sockets of the receivers dropped. A terminal that is too narrow has no"
                    + " column for the diagnosis.",
            "",
            "Examples:",
            "  naklab runs",
            "  naklab runs mystery --last 5",
            "  naklab open 2026-11-21T03-26-10.052Z-42",
            "",
            "Exit codes: 0 printed, 66 there is no history yet."
        })
public final class RunsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(arity = "0..1", paramLabel = "SCENARIO", description = "Only runs of this scenario.")
    private @Nullable String scenario;

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "20",
            converter = Converters.Count.class,
            description = "Number of latest runs to print (default: ${DEFAULT-VALUE}).")
    private int last;

    @Mixin
    private JsonOption json;

    @Mixin
    private RunsOption runs;

    @Mixin
    private HistoryOptions history;

    RunsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        history.addAbandoned(runs.directory(), terminal);
        History.Latest latest =
                History.openExisting(history.url(runs.directory())).latest(scenario, last);
        List<RunRow> shown = new ArrayList<>(latest.runs());
        Collections.reverse(shown);
        if (json.isGiven()) {
            json.print(terminal, Json.object().putPOJO("runs", shown));
        } else {
            print(shown, latest.total() - shown.size());
        }
        return ExitCode.OK;
    }

    private void print(List<RunRow> shown, long more) {
        if (shown.isEmpty()) {
            terminal.out().println(scenario == null ? "no runs" : "no runs of " + scenario);
            return;
        }
        Table wide = table(shown, true);
        boolean fits = wide.naturalWidth() <= terminal.columns(terminal.out());
        (fits ? wide : table(shown, false)).print();
        if (more > 0) {
            terminal.out().println("and " + Format.count(more) + " earlier (--last)");
        }
    }

    private Table table(List<RunRow> shown, boolean hasDiagnosis) {
        Align[] columns = {Align.LEFT, Align.LEFT, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.LEFT};
        int count = hasDiagnosis ? columns.length : columns.length - 1;
        Table table = new Table(terminal, terminal.out(), Arrays.copyOf(columns, count)).indent(0);
        table.head(Arrays.copyOf(new String[] {"run", "scenario", "verdict", "stall", "lost", "diagnosis"}, count));
        shown.forEach(run -> table.row(Arrays.copyOf(cells(run), count)));
        return table;
    }

    private static String[] cells(RunRow run) {
        RunFigures figures = run.figures();
        return new String[] {
            run.name(),
            run.runCase().scenario(),
            run.finding().verdict(),
            figures.stalls() == 0 ? "-" : Format.milliseconds(figures.longestStallMs()),
            Format.count(figures.harm().datagramsDropped()),
            run.finding().diagnosis()
        };
    }
}
