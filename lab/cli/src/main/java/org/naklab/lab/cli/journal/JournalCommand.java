package org.naklab.lab.cli.journal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code naklab journal}: what can be done with a system of record. */
@Command(
        name = "journal",
        description = "Verify, dump or export a journal.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        subcommands = {JournalVerifyCommand.class, JournalDumpCommand.class, JournalExportCommand.class},
        footer = {
            "",
            "Examples:",
            "  naklab journal verify runs/latest/journal",
            "  naklab journal dump runs/latest/journal --from 100 --to 120",
            "  naklab journal export runs/latest/journal --csv /tmp/csv"
        })
public final class JournalCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "specify a subcommand: verify, dump or export");
    }
}
