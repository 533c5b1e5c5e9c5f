package org.naklab.lab.cli.history;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.runs.history.Comparison;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.runs.history.RunFileReader;
import org.naklab.lab.runs.history.RunRow;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab history compare}. */
@Command(
        name = "compare",
        description = "Compare the figures of two runs.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A RUN is a directory, a name as in 'naklab history --json', a scenario (its latest run), or latest."
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

    @Option(names = "--json", description = "One JSON document on standard output.")
    private boolean json;

    @Option(names = "--runs", paramLabel = "DIR", description = "Directory of the runs (default: runs in the project).")
    private @Nullable Path runs;

    @Mixin
    private HistoryOptions history;

    HistoryCompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Comparison comparison = Comparison.of(find(first), find(second));
        if (json) {
            terminal.out().println(Json.pretty(comparison));
        } else {
            print(comparison);
        }
        return ExitCode.OK;
    }

    private RunRow find(String argument) {
        Path parent = RunArgument.runs(runs);
        Path directory;
        try {
            directory = RunArgument.find(parent, argument);
        } catch (LabException notOnDisk) {
            HistoryUrl url = history.url(parent);
            List<RunRow> named = History.openExisting(url).runs(null).stream()
                    .filter(run ->
                            run.name().equals(argument) || run.runDirectory().equals(argument))
                    .toList();
            if (named.size() != 1) {
                throw new LabException(
                        notOnDisk.getMessage() + "; the history contains " + named.size() + " with that name",
                        notOnDisk);
            }
            return named.get(0);
        }
        return RunFileReader.read(directory).run();
    }

    /** What is alike stands once, so that long descriptions of one machine do not push the figures out of sight. */
    private void print(Comparison comparison) {
        PrintStream out = terminal.out();
        List<Comparison.Line> lines = comparison.lines();
        List<Comparison.Line> differing =
                lines.stream().filter(Comparison.Line::differs).toList();
        int figure = width(lines.stream().map(Comparison.Line::figure).toList());
        int one = width(differing.stream().map(Comparison.Line::first).toList());
        int other = width(differing.stream().map(Comparison.Line::second).toList());
        String alike = "  %-" + figure + "s  both %s";
        String format = "  %-" + figure + "s  %-" + one + "s  %-" + other + "s  %s";
        for (Comparison.Line line : lines) {
            if (line.differs()) {
                String text = String.format(
                        Locale.ROOT, format, line.figure(), line.first(), line.second(), line.difference());
                out.println(terminal.bold(out, text.stripTrailing()));
            } else {
                out.println(String.format(Locale.ROOT, alike, line.figure(), line.first()));
            }
        }
    }

    private static int width(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(1);
    }
}
