package org.naklab.lab.cli.history;

import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import org.naklab.lab.runs.calendar.Calendar;
import org.naklab.lab.runs.calendar.CalendarPage;
import org.naklab.lab.runs.calendar.KeptPage;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab history}. */
@Command(
        name = "history",
        description = "Print the calendar of runs by verdict, or export the tables of the history.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = HistoryCompareCommand.class,
        footer = {
            "",
            "Examples:",
            "  naklab history",
            "  naklab history --scenario mystery --html calendar.html",
            "  naklab history --csv tables",
            "  naklab history --csv - --table latency --scenario mystery",
            "  naklab history compare mystery/latest 2026-11-21T03-26-10.052Z-42",
            "",
            "naklab runs lists the names of the runs.",
            "P: the prediction was observed (pass). F: it was contradicted (fail). ?: no verdict."
        })
public final class HistoryCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--scenario", paramLabel = "S", description = "Only runs of this scenario.")
    private @Nullable String scenario;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write the calendar as an HTML page: the latest " + CalendarPage.MAX_RUNS + " runs.")
    private @Nullable Path html;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "31",
            converter = Converters.Count.class,
            description = "Number of latest days to print (default: ${DEFAULT-VALUE}).")
    private int days;

    @Mixin
    private CsvExport csv;

    @Mixin
    private JsonOption json;

    @Mixin
    private RunsOption runs;

    @Mixin
    private HistoryOptions history;

    HistoryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        csv.check(json.isGiven() || html != null);
        HistoryUrl url = history.url(runs.directory());
        history.addAbandoned(runs.directory(), terminal);
        if (csv.isGiven()) {
            csv.write(History.openExisting(url), scenario, terminal);
            return ExitCode.OK;
        }
        History all = History.openExisting(url);
        if (html != null) {
            History.Latest latest = all.latest(scenario, CalendarPage.MAX_RUNS);
            CalendarPage.write(html, latest, KeptPage.in(runs.directory()), Instant.now());
            terminal.err().println("calendar of " + Format.counted(latest.runs().size(), "run") + " in " + html);
        }
        if (json.isGiven()) {
            json.print(terminal, Json.object().putPOJO("runs", all.runs(scenario)));
        } else if (html == null) {
            new CalendarTable(terminal, days).print(Calendar.ofCounts(all.days(scenario)));
        }
        return ExitCode.OK;
    }
}
