package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.scenarios.Verdict;

@Timeout(60)
final class ArmComparisonTest {
    @TempDir
    private Path runs;

    private static CampaignPlan plan(boolean untilDecided) {
        return new CampaignPlan(
                new CampaignPlan.Grid(List.of("mystery"), List.of("none", "bind-now"), 1, 100, List.of()),
                new CampaignPlan.Options(false, List.of(), List.of(), null),
                new CampaignPlan.Execution(untilDecided, false, null));
    }

    /** Without the remedy every second seed fails, with it none. */
    private static SeedResult cured(Cell cell, long seed) {
        boolean isFailed = cell.isCanary() || (cell.arm().equals("none") && seed % 2 == 0);
        return CampaignFixture.result(isFailed ? Verdict.FAIL : Verdict.PASS);
    }

    private CampaignReport report(CampaignPlan plan, SeedRunner runner) throws InterruptedException {
        CampaignStore store = new CampaignStore(HistoryUrl.inRuns(runs));
        Campaign campaign = CampaignFixture.begin(store, plan);
        CampaignFixture.run(store, campaign, Shard.WHOLE, false, runner, new Cancellation());
        return CampaignReport.of(store, campaign);
    }

    @Test
    void shouldEndAsSoonAsTheArmsDiffer() throws InterruptedException {
        CampaignReport report = report(plan(true), (cell, seed, faults, asked) -> cured(cell, seed));
        assertThat(report.findings().comparisons()).singleElement().satisfies(comparison -> {
            assertThat(comparison.test()).isEqualTo(new PairedTest(8, 0));
            assertThat(comparison.decided()).isTrue();
            assertThat(comparison.difference().low()).isPositive();
        });
        assertThat(report.state().done()).isEqualTo(1 + 2 * 16);
        assertThat(report.state().verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldRunAllSeedsWithoutTheOption() throws InterruptedException {
        assertThat(report(plan(false), (cell, seed, faults, asked) -> cured(cell, seed))
                        .state()
                        .done())
                .isEqualTo(201);
    }

    @Test
    void shouldRunAllSeedsWhenTheArmsAreAlike() throws InterruptedException {
        CampaignReport report = report(
                plan(true),
                (cell, seed, faults, asked) ->
                        CampaignFixture.result(cell.isCanary() || seed % 2 == 0 ? Verdict.FAIL : Verdict.PASS));
        assertThat(report.state().done()).isEqualTo(201);
        assertThat(report.findings().comparisons())
                .singleElement()
                .satisfies(comparison -> assertThat(comparison.decided()).isFalse());
    }

    /** The original's lesson: after the cure of the service, a loss at another receiver stays. */
    @Test
    void shouldTellOfALossThatStaysAfterTheCure() throws InterruptedException {
        CampaignReport report = report(plan(false), (cell, seed, faults, asked) -> {
            long naksOfService = cell.arm().equals("none") ? 3 : 0;
            long naksOfGateway = seed % 10 == 0 ? 1 : 0;
            return new SeedResult(
                    cell.isCanary() ? Verdict.FAIL : Verdict.PASS,
                    null,
                    "none",
                    "naklab run",
                    1,
                    0,
                    naksOfService + naksOfGateway,
                    0,
                    List.of(
                            new RunRow.Receiver("mds", naksOfService, 0),
                            new RunRow.Receiver("gateway-1", naksOfGateway, 0),
                            new RunRow.Receiver("gateway-2", 0, 4)),
                    null);
        });
        assertThat(report.findings().remaining())
                .containsExactly(new RemainingLoss(new Cell("mystery", "bind-now"), "gateway-1", 10, 100));
    }
}
