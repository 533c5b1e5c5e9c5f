package org.naklab.lab.workshop.command;

import java.util.concurrent.Callable;
import org.naklab.lab.terminal.ExitCode;
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
        parent.print(options.open().debrief());
        return ExitCode.OK;
    }
}
