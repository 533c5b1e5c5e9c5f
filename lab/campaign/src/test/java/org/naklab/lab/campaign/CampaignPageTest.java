package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.runs.calendar.KeptPage;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.scenarios.Verdict;

@Timeout(60)
final class CampaignPageTest {
    @TempDir
    private Path runs;

    private static long marks(String page, String mark) {
        int begin = page.indexOf("<path class=\"" + mark + "\" d=\"");
        String path = page.substring(begin, page.indexOf("/>", begin));
        return path.chars().filter(letter -> letter == 'z').count();
    }

    private static String html(Path runs, CampaignStore store, Campaign campaign) {
        return CampaignPage.html(
                runs,
                runs.resolve("campaign/x/report.html"),
                campaign,
                CampaignReport.of(store, campaign),
                store.marks(campaign.name()));
    }

    @Test
    void shouldHaveAMarkForEachSeedAndEachKindOfFailureOnce() throws IOException, InterruptedException {
        CampaignStore store = new CampaignStore(HistoryUrl.inRuns(runs));
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(250));
        CampaignFixture.run(store, campaign, Shard.WHOLE, false);

        CampaignPage.Kept kept = CampaignPage.keep(runs, store, campaign);
        CampaignReport report = kept.report();
        String page = Files.readString(kept.file());

        CampaignReport.ArmFigures first = report.findings().arms().get(0);
        assertThat(marks(page, "fail")).isEqualTo(first.failed().hits());
        assertThat(marks(page, "red")).as("the service, by computed NAKs").isPositive();
        assertThat(marks(page, "red") + marks(page, "blue")).isEqualTo(250L);
        assertThat(marks(page, "pass")).isEqualTo(250L - first.failed().hits());
        report.failures()
                .forEach(kind -> assertThat(page).contains(kind.example().replay()));
        assertThat(page).contains("501 of 501 runs", "the canary failed, as it must", ">calendar</a></nav>");
        assertThat(report).isEqualTo(CampaignReport.of(store, campaign));
        assertThat(CampaignPage.keep(runs, store, campaign)).isEqualTo(kept);
        assertThat(KeptPage.in(runs)).as("the calendar links it").hasSize(1);
    }

    @Test
    void shouldLinkTheReportOfAFailure() throws InterruptedException {
        CampaignStore store = new CampaignStore(HistoryUrl.inRuns(runs));
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(1));
        String run =
                runs.resolve("campaigns/night/baseline-none-1/baseline/run").toString();
        CampaignFixture.run(
                store,
                campaign,
                Shard.WHOLE,
                false,
                (cell, seed, faults, asked) ->
                        new SeedResult(Verdict.FAIL, "<claim>", "none", "naklab run", 1, 0, 0, 0, List.of(), run),
                new Cancellation());
        assertThat(html(runs, store, campaign))
                .contains("href=\"../../campaigns/night/baseline-none-1/baseline/run/report.html\"")
                .contains("&lt;claim&gt;");
        assertThat(html(Path.of("/other"), store, campaign))
                .as("evidence of another machine")
                .doesNotContain("href=\"..");
    }

    @Test
    void shouldShowBlocksInTheirOrder() throws InterruptedException {
        CampaignStore store = new CampaignStore(HistoryUrl.inRuns(runs));
        CampaignPlan plan = CampaignFixture.plan(
                1, 6, List.of(Block.of("without:2"), Block.of("bind-now:3"), Block.of("none:1")), 0.0);
        Campaign campaign = CampaignFixture.begin(store, plan);
        CampaignFixture.run(
                store,
                campaign,
                Shard.WHOLE,
                false,
                (cell, seed, faults, asked) -> CampaignFixture.result(seed == 4 ? Verdict.FAIL : Verdict.PASS),
                new Cancellation());
        assertThat(html(runs, store, campaign))
                .containsSubsequence(
                        "mystery, none, seeds 1 to 2: 0 of 2 seeds failed",
                        "mystery, bind-now, seeds 3 to 5: 1 of 3 seeds failed",
                        "mystery, none, seeds 6 to 6");
    }
}
