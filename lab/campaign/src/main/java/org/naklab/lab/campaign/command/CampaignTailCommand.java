package org.naklab.lab.campaign.command;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.campaign.TrialRow;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab campaign tail}. */
@Command(
        name = "tail",
        description = "Print the latest results of a campaign, a line each.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Examples:", "  naklab campaign tail", "  naklab campaign tail --errors --follow"})
final class CampaignTailCommand implements Callable<Integer> {
    /** Shards on other machines may have slower clocks or connections. */
    private static final Duration LATE = Duration.ofMinutes(2);

    private static final long PERIOD_MS = 1_000;

    private final Terminal terminal;
    private final Set<TrialRow.Key> seen = new HashSet<>();

    @Mixin
    private CampaignSelection selection;

    @Option(names = "--errors", description = "Only seeds that did not pass.")
    private boolean isOnlyErrors;

    @Option(names = "--follow", description = "Go on with new results until the campaign is complete; Ctrl-C ends it.")
    private boolean isFollowing;

    @Option(
            names = "--lines",
            paramLabel = "N",
            defaultValue = "10",
            converter = Converters.Count.class,
            description = "Number of results to begin with (default: ${DEFAULT-VALUE}).")
    private int lines;

    CampaignTailCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        CampaignStore store = selection.store();
        Campaign campaign = selection.campaign(store);
        List<TrialRow> rows = wanted(store.finishedAfter(campaign.name(), ""));
        rows.forEach(row -> seen.add(row.key()));
        rows.stream().skip(Math.max(0, rows.size() - lines)).forEach(this::print);
        if (!isFollowing) {
            return ExitCode.OK;
        }
        CountDownLatch end = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(end::countDown, "tail-end"));
        long total = campaign.trials();
        while (!end.await(PERIOD_MS, TimeUnit.MILLISECONDS)) {
            String from = Instant.now().minus(LATE).toString();
            wanted(store.finishedAfter(campaign.name(), from)).stream()
                    .filter(row -> seen.add(row.key()))
                    .forEach(this::print);
            long done = store.counts(campaign.name()).stream()
                    .mapToLong(CampaignStore.Count::trials)
                    .sum();
            if (done >= total) {
                end.countDown();
            }
        }
        return ExitCode.OK;
    }

    private List<TrialRow> wanted(List<TrialRow> rows) {
        return rows.stream()
                .filter(row -> !isOnlyErrors || row.result().verdict() != Verdict.PASS)
                .toList();
    }

    private void print(TrialRow row) {
        terminal.out().println(row.finishedUtc() + "  " + CampaignPrinter.line(row));
    }
}
