package org.naklab.lab.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line's entry. */
@Command(
        name = "naklab",
        description =
                "A market data service on multicast, the faults that make it stall, and the instruments that catch it.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            RunCommand.class,
            ListCommand.class,
            DoctorCommand.class,
            BooksCommand.class,
            ReportCommand.class,
            HistoryCommand.class,
            JournalCommand.class,
            BenchCommand.class,
            ConfusionCommand.class,
            WatchCommand.class,
            ServeCommand.class,
            CompletionCommand.class,
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  naklab run mystery",
            "  naklab run mystery --remedy all --repeat 5",
            "  naklab run baseline --rate 50000 --duration 20",
            "  naklab watch PID",
            "  naklab doctor",
            "  naklab COMMAND --help",
            "",
            "Exit codes: 0 pass, 1 fail, 2 unknown (no verdict could be had), 64 wrong usage."
        })
public final class Naklab {
    Naklab() {}

    public static void main(String[] arguments) {
        System.exit(execute(Terminal.ofProcess(), arguments));
    }

    static int execute(Terminal terminal, String... arguments) {
        Failures failures = new Failures(terminal);
        return new CommandLine(new Naklab(), new CommandFactory(terminal))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setUsageHelpLongOptionsMaxWidth(28)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .setOut(terminal.outWriter())
                .setErr(terminal.errWriter())
                .execute(arguments);
    }
}
