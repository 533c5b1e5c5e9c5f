package org.naklab.lab.campaign.command;

import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignPage;
import org.naklab.lab.campaign.CampaignReport;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code naklab campaign status}. */
@Command(
        name = "status",
        description =
                "Print how a campaign stands: progress, the share of failures of each arm, and each kind of failure "
                        + "once, with the seed that shows it fastest. Writes the page of the campaign, which the calendar and the dashboard link.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Examples:", "  naklab campaign status", "  naklab campaign status baseline-3f2a91 --json"})
final class CampaignStatusCommand implements Callable<Integer> {
    private static final int MAX_JOBS = 10;

    private final Terminal terminal;

    @Mixin
    private CampaignSelection selection;

    @Mixin
    private JsonOption json;

    CampaignStatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        CampaignStore store = selection.store();
        Campaign campaign = selection.campaign(store);
        if (json.isGiven()) {
            json.print(terminal, CampaignReport.of(store, campaign));
            return ExitCode.OK;
        }
        CampaignPage.Kept page = CampaignPage.keep(selection.runs(), store, campaign);
        new CampaignPrinter(terminal, terminal.out()).print(page.report());
        terminal.out().println();
        terminal.out().println("  page: " + page.file());
        Submission.in(selection.directory(campaign)).ifPresent(submission -> {
            List<String> jobs = submission.status();
            terminal.out().println();
            terminal.out().println("  " + submission.engine() + ": " + (jobs.isEmpty() ? "no job waits or runs" : ""));
            jobs.stream().limit(MAX_JOBS).forEach(job -> terminal.out().println("    " + job));
            if (jobs.size() > MAX_JOBS) {
                terminal.out().println("    and " + (jobs.size() - MAX_JOBS) + " more");
            }
        });
        return ExitCode.OK;
    }
}
