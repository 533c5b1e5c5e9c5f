package org.naklab.lab.cli;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code naklab help}. */
@Command(
        name = "help",
        description = "Print the help of a command, as its option --help does.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab help",
            "  naklab help run",
            "  naklab help bench observer",
            "  naklab help --man > naklab.1"
        })
final class HelpCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(names = "--man", description = "Print the manual page of all commands, for man(1).")
    private boolean isManPage;

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "Command and subcommand (default: naklab itself).")
    private List<String> names = List.of();

    HelpCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        CommandLine command = spec.root().commandLine();
        if (isManPage) {
            terminal.out().print(ManPage.of(command, Version.current()));
            terminal.out().flush();
            return ExitCode.OK;
        }
        for (String name : names) {
            Map<String, CommandLine> subcommands = command.getSubcommands();
            CommandLine next = subcommands.get(name);
            if (next == null) {
                throw new UsageException(command.getCommandSpec().qualifiedName() + " has no command '" + name + "'"
                        + (subcommands.isEmpty() ? "" : Spelling.hint(name, subcommands.keySet())));
            }
            command = next;
        }
        command.usage(terminal.outWriter());
        return ExitCode.OK;
    }
}
