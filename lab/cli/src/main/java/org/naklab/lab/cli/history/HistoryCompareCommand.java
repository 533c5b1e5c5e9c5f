package org.naklab.lab.cli.history;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.runs.history.Comparison;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.runs.history.RunFileReader;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code naklab history compare}. */
@Command(
        name = "compare",
        description = "Compare the figures of two runs.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A RUN is a directory, a name as in 'naklab runs', a scenario (its latest run), or latest."
                    + " Runs that are no longer on disk are read from the history.",
            "",
            "Examples:",
            "  naklab history compare runs/mystery/latest runs/baseline/latest",
            "  naklab history compare mystery 2026-11-21T03-26-10.052Z-42 --json"
        })
final class HistoryCompareCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "RUN", description = "First run.")
    private String first;

    @Parameters(index = "1", paramLabel = "RUN", description = "Second run.")
    private String second;

    @Mixin
    private JsonOption json;

    @Mixin
    private RunsOption runs;

    @Mixin
    private HistoryOptions history;

    HistoryCompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Comparison comparison = Comparison.of(find(first), find(second));
        if (json.isGiven()) {
            json.print(terminal, comparison);
        } else {
            print(comparison);
        }
        return ExitCode.OK;
    }

    private RunRow find(String argument) {
        Path parent = runs.directory();
        Path directory;
        try {
            directory = RunArgument.find(parent, argument);
        } catch (InputException notOnDisk) {
            HistoryUrl url = history.url(parent);
            if (url.isFile() && !Files.exists(url.file())) {
                throw notOnDisk;
            }
            List<RunRow> named = History.openExisting(url).runs(null).stream()
                    .filter(run ->
                            run.name().equals(argument) || run.runDirectory().equals(argument))
                    .toList();
            if (named.size() != 1) {
                throw new InputException(
                        notOnDisk.getMessage()
                                + (named.isEmpty()
                                        ? ", nor one in the history"
                                        : "; the history has " + named.size() + " runs of that name")
                                + "; 'naklab runs' lists them",
                        notOnDisk);
            }
            return named.get(0);
        }
        return RunFileReader.read(directory).run();
    }

    /** What is alike stands once, so that long descriptions of one machine do not push the figures out of sight. */
    private void print(Comparison comparison) {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT, Align.LEFT, Align.LEFT);
        for (Comparison.Line line : comparison.lines()) {
            if (line.differs()) {
                table.bold(line.figure(), line.first(), line.second(), line.difference());
            } else {
                table.row(line.figure(), "both " + line.first());
            }
        }
        table.print();
    }
}
