package org.naklab.lab.campaign.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code naklab campaign}. */
@Command(
        name = "campaign",
        description = "Run many seeds of scenarios, in shards on an engine of jobs, and report how often they fail.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        subcommands = {
            CampaignRunCommand.class,
            CampaignSubmitCommand.class,
            CampaignStatusCommand.class,
            CampaignTailCommand.class,
            CampaignStopCommand.class,
            CampaignFetchCommand.class,
            CampaignBisectCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  naklab campaign run --scenario baseline --seeds 1..20",
            "  naklab campaign submit --scenario mystery --arms none,bind-now --seeds 100",
            "  naklab campaign status"
        })
public final class CampaignCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "specify a subcommand: run, submit, status, tail, stop, fetch or bisect");
    }
}
