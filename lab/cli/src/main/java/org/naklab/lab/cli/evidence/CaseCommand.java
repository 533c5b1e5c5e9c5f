package org.naklab.lab.cli.evidence;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code naklab case}: what can be done with recorded evidence beside judging it. */
@Command(
        name = "case",
        description = "Keep recorded evidence as a regression test.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        subcommands = CaseKeepCommand.class,
        footer = {"", "Examples:", "  naklab case keep mystery --as late-binding-slow-disk", "  naklab case keep --help"
        })
public final class CaseCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "specify a subcommand: keep");
    }
}
