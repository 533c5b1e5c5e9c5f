package org.naklab.lab.cli.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.report.Report;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code naklab open}. */
@Command(
        name = "open",
        description = "Open the report of a run in the browser.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The program is that of the environment variable BROWSER, or else xdg-open (open on macOS).",
            "",
            "Examples:",
            "  naklab open",
            "  naklab open mystery",
            "  BROWSER=firefox naklab open runs/mystery/latest",
            "",
            "Exit codes: 0 the browser was started, 64 wrong usage, 66 no such run, or it has no report,",
            "69 there is no browser."
        })
public final class OpenCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private RunSelection selection;

    OpenCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path report = Report.of(selection.run()).toAbsolutePath();
        if (!Files.isRegularFile(report)) {
            throw new InputException("there is no " + report + "; 'naklab report' writes it");
        }
        List<String> command = command(System.getenv(), System.getProperty("os.name"), report);
        try {
            // It may go on for as long as the browser does.
            new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UnavailableException(
                    "cannot start " + command.get(0) + "; set BROWSER to your browser, or open " + report, e);
        }
        terminal.out().println(report);
        return ExitCode.OK;
    }

    static List<String> command(Map<String, String> environment, String system, Path report) {
        String usual = system.toLowerCase(Locale.ROOT).contains("mac") ? "open" : "xdg-open";
        return List.of(environment.getOrDefault("BROWSER", usual), report.toString());
    }
}
