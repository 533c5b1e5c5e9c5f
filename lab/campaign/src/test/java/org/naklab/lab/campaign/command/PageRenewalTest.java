package org.naklab.lab.campaign.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignPage;
import org.naklab.lab.campaign.CampaignPlan;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.campaign.Rehearsal;
import org.naklab.lab.campaign.Shard;
import org.naklab.lab.campaign.ShardRun;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.terminal.Terminal;

/** The page of a campaign while it goes on: the test moves the clock. */
@Timeout(60)
final class PageRenewalTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Terminal terminal;

    @TempDir
    private Path runs;

    private CampaignStore store;
    private Campaign campaign;
    private Path page;
    private PageRenewal renewal;
    private long nowNs = 7 * SECOND_NS;
    /** The next reading of the clock adds this, ns: the page takes so long. */
    private long takesNs;

    PageRenewalTest() {
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        terminal = Terminal.of(stream, stream);
    }

    @BeforeEach
    void beginACampaign() throws IOException {
        store = new CampaignStore(HistoryUrl.inRuns(runs));
        CampaignPlan plan = new CampaignPlan(
                new CampaignPlan.Grid(List.of("baseline"), List.of("none"), 1, 5, List.of()),
                new CampaignPlan.Options(false, List.of(), List.of(), null),
                new CampaignPlan.Execution(false, false, 0.0));
        campaign = store.begin("night", plan, null, "2026-11-28T10:00:00.000Z");
        page = CampaignPage.keep(runs, store, campaign).file();
        Files.delete(page);
        renewal = new PageRenewal(runs, store, campaign, terminal, () -> nowNs += takesNs);
    }

    /** A run takes three seconds: the page of the fourth is written, and that of the end is the command's. */
    @Test
    void shouldShowTheRunsThatHaveEndedWhileOthersGoOn() throws IOException, InterruptedException {
        ShardRun.Place place = new ShardRun.Place(store, "host", Long.MAX_VALUE, () -> 0);
        new ShardRun(
                        campaign,
                        Shard.WHOLE,
                        place,
                        new Rehearsal(0),
                        (row, done, all) -> onTrialAfter(3),
                        new Cancellation())
                .run(false);
        assertThat(Files.readString(page)).contains("4 of 6 runs");
    }

    private boolean isWritten() throws IOException {
        return Files.deleteIfExists(page);
    }

    private void onTrialAfter(long seconds) {
        nowNs += seconds * SECOND_NS;
        renewal.onTrial();
    }

    @Test
    void shouldWriteThePageWhileTheCampaignGoesOn() throws IOException {
        onTrialAfter(9);
        assertThat(isWritten()).as("it is not time yet").isFalse();
        onTrialAfter(1);
        assertThat(Files.readString(page)).contains("0 of 6 runs");
        assertThat(isWritten()).isTrue();
        onTrialAfter(9);
        assertThat(isWritten()).isFalse();
        onTrialAfter(1);
        assertThat(isWritten()).isTrue();
    }

    @Test
    void shouldTakeASmallShareOfTheTimeOfACampaignWithALargePage() throws IOException {
        takesNs = SECOND_NS;
        onTrialAfter(10);
        takesNs = 0;
        assertThat(isWritten()).isTrue();
        onTrialAfter(49);
        assertThat(isWritten()).as("a page took a second: 50 s to the next one").isFalse();
        onTrialAfter(1);
        assertThat(isWritten()).isTrue();
    }

    @Test
    void shouldGoOnIfThePageCannotBeWritten() throws IOException {
        Files.createDirectories(page.resolve("in the way"));
        onTrialAfter(10);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("note: the page of the campaign was not written");
        Files.delete(page.resolve("in the way"));
        Files.delete(page);
        onTrialAfter(10);
        assertThat(isWritten()).isTrue();
    }
}
