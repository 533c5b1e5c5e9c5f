package org.naklab.lab.cli.workshop;

import java.util.concurrent.Callable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop debrief}. */
@Command(
        name = "debrief",
        description = "Show the solution beside your way, after the answer.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab workshop debrief",
            "",
            "Exit codes: 0 shown, 64 the unit was not answered yet."
        })
public final class WorkshopDebriefCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        Terminal terminal = parent.terminal();
        options.open().debrief().forEach(line -> terminal.printHanging(terminal.out(), indent(line), line.strip()));
        return ExitCode.OK;
    }

    private static String indent(String line) {
        return " ".repeat(line.length() - line.stripLeading().length());
    }
}
