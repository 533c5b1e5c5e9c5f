package org.naklab.lab.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.faults.FaultException;
import org.naklab.journaler.JournalException;
import org.naklab.lab.campaign.command.CampaignCommand;
import org.naklab.lab.cli.evidence.CaseCommand;
import org.naklab.lab.cli.evidence.DiagnoseCommand;
import org.naklab.lab.cli.fault.FaultsCommand;
import org.naklab.lab.cli.fault.InjectCommand;
import org.naklab.lab.cli.history.BundleCommand;
import org.naklab.lab.cli.history.HistoryCommand;
import org.naklab.lab.cli.history.OpenCommand;
import org.naklab.lab.cli.history.PruneCommand;
import org.naklab.lab.cli.history.ReportCommand;
import org.naklab.lab.cli.history.RunsCommand;
import org.naklab.lab.cli.journal.JournalCommand;
import org.naklab.lab.cli.run.ConfusionCommand;
import org.naklab.lab.cli.run.HeisenbergCommand;
import org.naklab.lab.cli.run.RunCommand;
import org.naklab.lab.cli.run.SoakCommand;
import org.naklab.lab.cli.serve.ServeCommand;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.Colour;
import org.naklab.lab.terminal.ErrorReporter;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.FurtherCommands;
import org.naklab.lab.terminal.ProgramFailure;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.tools.command.BenchCommand;
import org.naklab.lab.tools.jitter.command.JitterCommand;
import org.naklab.lab.tools.linking.BindingsCommand;
import org.naklab.lab.tools.linking.LibprofCommand;
import org.naklab.lab.tools.tune.command.TuneCommand;
import org.naklab.lab.watch.command.WatchCommand;
import org.naklab.lab.workshop.command.WorkshopCommand;
import org.naklab.messaging.MessagingException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line's entry. */
@Command(
        name = "naklab",
        description = "A market data service on multicast, faults that make it stall, and instruments that observe it.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            RunCommand.class,
            ListCommand.class,
            FaultsCommand.class,
            InjectCommand.class,
            DoctorCommand.class,
            BooksCommand.class,
            ReportCommand.class,
            DiagnoseCommand.class,
            CaseCommand.class,
            WorkshopCommand.class,
            OpenCommand.class,
            HistoryCommand.class,
            RunsCommand.class,
            PruneCommand.class,
            JournalCommand.class,
            BenchCommand.class,
            TuneCommand.class,
            JitterCommand.class,
            ConfusionCommand.class,
            SoakCommand.class,
            CampaignCommand.class,
            HeisenbergCommand.class,
            WatchCommand.class,
            BindingsCommand.class,
            LibprofCommand.class,
            BundleCommand.class,
            ServeCommand.class,
            CompletionCommand.class,
            HelpCommand.class,
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  naklab run mystery",
            "  naklab run mystery --remedy all --repeat 5",
            "  naklab run baseline --rate 50000 --duration 20",
            "  naklab run baseline --fault process-pause:for=150ms@+3s",
            "  naklab inject PID process-pause:for=2s",
            "  naklab soak --duration 10m --seed 7",
            "  naklab watch PID",
            "  naklab doctor",
            "  naklab COMMAND --help",
            "",
            "Exit codes: 0 pass, 1 fail, 2 unknown (no verdict possible), 3 found something (watch, hunts),",
            "64 wrong usage, 66 no such file, run or process, or it cannot be used, 69 not available (no JDK, build failed,",
            "or another run uses the port), 70 internal error, 128 + N terminated by signal N."
        })
public final class Naklab implements Callable<Integer> {
    /** The replica and the faults throw these. */
    private static final Map<Class<? extends Exception>, Integer> EXPECTED = Map.of(
            OrderFlowException.class, ExitCode.NO_INPUT,
            JournalException.class, ExitCode.NO_INPUT,
            FaultException.class, ExitCode.UNAVAILABLE,
            MessagingException.class, ExitCode.UNAVAILABLE);

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            scope = ScopeType.INHERIT,
            description = "Colours: auto (on a terminal, unless NO_COLOR is set), always or never (default: auto).")
    void colour(Colour when) {
        terminal.colour(when);
    }

    Naklab(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Prints the help: somebody who names no command does not know the commands. */
    @Override
    public Integer call() {
        spec.commandLine().usage(terminal.outWriter());
        return ExitCode.OK;
    }

    public static void main(String[] arguments) {
        Secrets secrets = Secrets.of(List.of(arguments), System.getenv());
        int code;
        try {
            Terminal terminal = Terminal.ofProcess();
            ProgramFailure.endOn(terminal, secrets);
            code = execute(terminal, arguments);
        } catch (Throwable failure) {
            code = ProgramFailure.report(System.err, "naklab: ", failure, secrets);
        }
        System.exit(ExitCode.ofProcess(code));
    }

    /** Runs one command line; whatever goes wrong is told on the terminal, and is an exit code. */
    public static int execute(Terminal terminal, String... arguments) {
        Path home = Path.of(System.getProperty("user.home"));
        return execute(terminal, ConfigurationFile.find(System.getenv(), home), arguments);
    }

    static int execute(Terminal terminal, @Nullable Path configuration, String... arguments) {
        ErrorReporter failures = new ErrorReporter(terminal, Secrets.of(List.of(arguments), System.getenv()), EXPECTED);
        try {
            return parseAndRun(failures, terminal, configuration, arguments);
        } catch (UsageException failure) {
            return failures.onDefaults(failure);
        } catch (Throwable failure) {
            return failures.onFailure(failure);
        }
    }

    /** Returns the program with all commands. */
    static CommandLine line(Terminal terminal) {
        return WholeWordsHelp.addTo(
                FurtherCommands.addTo(new CommandLine(new Naklab(terminal), new CommandFactory(terminal))));
    }

    private static int parseAndRun(
            ErrorReporter failures, Terminal terminal, @Nullable Path configuration, String... arguments) {
        CommandLine line = line(terminal);
        if (configuration != null) {
            ConfigurationFile.apply(configuration, line);
        }
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setUsageHelpLongOptionsMaxWidth(28)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .setOut(terminal.outWriter())
                .setErr(terminal.errWriter())
                .execute(arguments);
    }
}
