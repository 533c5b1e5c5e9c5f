package org.naklab.lab.workshop.command;

import java.util.concurrent.Callable;
import org.naklab.lab.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop hint}. */
@Command(
        name = "hint",
        description = "Get a hint, which depends on what you have not looked at.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Each hint takes 3 points off the score. No hint names the cause.",
            "",
            "Examples:",
            "  naklab workshop hint",
            "",
            "Exit codes: 0 given, or there is none left, 64 no unit was started."
        })
public final class WorkshopHintCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        parent.terminal()
                .printHanging(
                        parent.terminal().out(),
                        "hint: ",
                        options.open()
                                .hint()
                                .orElse(
                                        "there is none for what you have not looked at: compare what you have with the sentences of 'naklab workshop status --text', and answer"));
        return ExitCode.OK;
    }
}
