package org.naklab.lab.workshop.command;

import java.util.concurrent.Callable;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.workshop.web.WorkshopServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop link}. */
@Command(
        name = "link",
        description = "Print a link that opens your units in one more browser, while 'serve --alone' runs.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The link works once. A link that was printed before and not used is worth nothing from then on; browsers that are "
                    + "open stay so. Only the user who started the server, and root, can make one.",
            "",
            "Examples:",
            "  naklab workshop link",
            "",
            "Exit codes: 0 printed, 64 'workshop serve --alone' does not run with this directory, 66 its files cannot be used."
        })
public final class WorkshopLinkCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        parent.terminal().out().println(WorkshopServer.anotherLink(options.directory()));
        return ExitCode.OK;
    }
}
