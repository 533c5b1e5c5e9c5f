package org.naklab.lab.campaign.command;

import java.util.concurrent.Callable;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code naklab campaign stop}. */
@Command(
        name = "stop",
        description =
                "End a campaign: its jobs are cancelled, shards elsewhere begin no further seed, and seeds that are "
                        + "running are not recorded. 'submit' with the same options goes on.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Examples:", "  naklab campaign stop"})
final class CampaignStopCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private CampaignSelection selection;

    CampaignStopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        CampaignStore store = selection.store();
        Campaign campaign = selection.campaign(store);
        store.setStopped(campaign.name(), true);
        Submission.in(selection.directory(campaign)).ifPresent(Submission::stop);
        terminal.out().println("campaign " + campaign.name() + " is stopped");
        return ExitCode.OK;
    }
}
