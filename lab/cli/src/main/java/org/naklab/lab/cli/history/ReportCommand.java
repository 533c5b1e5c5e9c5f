package org.naklab.lab.cli.history;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.SudoUser;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.report.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab report}. */
@Command(
        name = "report",
        description = "Write the report of a run: one HTML file that needs no network.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Each run writes its report at its end; this command rewrites it with the current history.",
            "",
            "Examples:",
            "  naklab report",
            "  naklab report mystery",
            "  naklab report runs/mystery/latest --output /tmp/report.html"
        })
public final class ReportCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Output file (default: report.html in the run directory).")
    private @Nullable Path output;

    @Mixin
    private RunSelection selection;

    @Mixin
    private HistoryOptions history;

    ReportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path directory = selection.run();
        Path file = output == null ? Report.of(directory) : output;
        new RunArchiver(history.url(selection.runs()), terminal).report(directory, file);
        new SudoUser(terminal.err()).give("the report", owner -> owner.takeDirectory(directory));
        terminal.out().println(file);
        return ExitCode.OK;
    }
}
