package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.scenarios.Verdict;

@Timeout(60)
final class ShardRunTest {
    @TempDir
    private Path runs;

    private CampaignStore store;

    @BeforeEach
    void open() {
        store = new CampaignStore(HistoryUrl.inRuns(runs));
    }

    @Test
    void shouldDivideTheSeedsAmongTheShards() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(10));
        ShardRun.Summary first = CampaignFixture.run(store, campaign, new Shard(1, 3), false);
        ShardRun.Summary second = CampaignFixture.run(store, campaign, new Shard(2, 3), false);
        ShardRun.Summary third = CampaignFixture.run(store, campaign, new Shard(3, 3), false);

        assertThat(List.of(first.total(), second.total(), third.total())).containsExactly(1 + 8L, 6L, 6L);
        assertThat(first.done() + second.done() + third.done()).isEqualTo(campaign.trials());
        assertThat(store.trials(campaign.name())).hasSize(21);
    }

    @Test
    void shouldGoOnAfterAFailure() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(30));
        ShardRun.Summary summary = CampaignFixture.run(store, campaign, Shard.WHOLE, false);

        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.done()).isEqualTo(61);
        assertThat(store.failures(campaign.name())).hasSizeGreaterThan(1);
    }

    @Test
    void shouldRecordATrialOnceHoweverOftenItRuns() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(5));
        CampaignFixture.run(store, campaign, Shard.WHOLE, false);
        List<CampaignFixture.Essence> once = CampaignFixture.essences(store, campaign.name());
        CampaignFixture.run(store, campaign, Shard.WHOLE, false);

        assertThat(CampaignFixture.essences(store, campaign.name()))
                .isEqualTo(once)
                .hasSize(11);
    }

    @Test
    void shouldRunOnlyWhatIsLeftWhenItIsResumed() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(10));
        Cancellation cancellation = new Cancellation();
        AtomicLong runs = new AtomicLong();
        CampaignFixture.run(
                store,
                campaign,
                Shard.WHOLE,
                false,
                (cell, seed, faults, asked) -> {
                    if (runs.incrementAndGet() == 8) {
                        cancellation.request();
                    }
                    return CampaignFixture.result(cell.isCanary() ? Verdict.FAIL : Verdict.PASS);
                },
                cancellation);
        assertThat(store.trials(campaign.name()))
                .as("the seed that was cancelled is not recorded")
                .hasSize(7);

        List<Long> again = new ArrayList<>();
        ShardRun.Summary summary = CampaignFixture.run(
                store,
                campaign,
                Shard.WHOLE,
                true,
                (cell, seed, faults, asked) -> {
                    again.add(seed);
                    return CampaignFixture.result(Verdict.PASS);
                },
                new Cancellation());
        assertThat(again).hasSize(21 - 7);
        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldRunUnknownSeedsAgainWhenItIsResumed() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(3));
        CampaignFixture.run(
                store,
                campaign,
                Shard.WHOLE,
                false,
                (cell, seed, faults, asked) -> CampaignFixture.result(
                        cell.isCanary() ? Verdict.FAIL : seed == 2 ? Verdict.UNKNOWN : Verdict.PASS),
                new Cancellation());
        assertThat(store.trials(campaign.name()))
                .filteredOn(row -> row.seed() == 2)
                .allSatisfy(row -> assertThat(row.attempts()).isEqualTo(3));
        assertThat(CampaignReport.of(store, campaign).state().verdict()).isEqualTo(Verdict.UNKNOWN);

        CampaignFixture.run(
                store,
                campaign,
                Shard.WHOLE,
                true,
                (cell, seed, faults, asked) -> {
                    assertThat(seed).isEqualTo(2);
                    return CampaignFixture.result(Verdict.PASS);
                },
                new Cancellation());
        assertThat(CampaignReport.of(store, campaign).state().verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldBeginNoSeedWhenTheBudgetIsSpent() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(10));
        AtomicLong clockNs = new AtomicLong();
        ShardRun.Summary summary = new ShardRun(
                        campaign,
                        Shard.WHOLE,
                        new ShardRun.Place(store, "host", 5, clockNs::get),
                        (cell, seed, faults, asked) -> {
                            clockNs.incrementAndGet();
                            return CampaignFixture.result(cell.isCanary() ? Verdict.FAIL : Verdict.PASS);
                        },
                        (row, done, total) -> {},
                        new Cancellation())
                .run(false);

        assertThat(summary.done()).isEqualTo(5);
        assertThat(summary.verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void shouldEndWhenTheCampaignIsStopped() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(10));
        ShardRun.Summary summary = CampaignFixture.run(
                store,
                campaign,
                Shard.WHOLE,
                false,
                (cell, seed, faults, asked) -> {
                    if (seed == 3) {
                        store.setStopped(campaign.name(), true);
                    }
                    return CampaignFixture.result(Verdict.FAIL);
                },
                new Cancellation());

        assertThat(summary.isStopped()).isTrue();
        assertThat(store.trials(campaign.name())).hasSize(1 + 2 * 2 + 1);
    }

    @Test
    void shouldKnowNothingWithoutACanaryThatFailed() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(3));
        SeedRunner blind = (cell, seed, faults, asked) -> CampaignFixture.result(Verdict.PASS);
        ShardRun.Summary summary = CampaignFixture.run(store, campaign, Shard.WHOLE, false, blind, new Cancellation());

        assertThat(summary.verdict()).isEqualTo(Verdict.UNKNOWN);
        CampaignReport report = CampaignReport.of(store, campaign);
        assertThat(report.canary()).isEqualTo(CampaignReport.Canary.MISSED);
        assertThat(report.state().verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void shouldPlayTheSeedsFirstThatFailedBefore() throws InterruptedException {
        Campaign first = CampaignFixture.begin(store, CampaignFixture.plan(20));
        CampaignFixture.run(store, first, Shard.WHOLE, false);
        List<Long> failed = store.failures(first.name()).stream()
                .map(TrialRow::seed)
                .distinct()
                .toList();

        Campaign next = store.begin("next", CampaignFixture.plan(101, 110, List.of(), 0.2), null, CampaignFixture.NOW);
        assertThat(next.corpus()).containsExactlyInAnyOrderElementsOf(failed);
        List<Long> order = new ArrayList<>();
        CampaignFixture.run(
                store,
                next,
                Shard.WHOLE,
                false,
                (cell, seed, faults, asked) -> {
                    order.add(seed);
                    return CampaignFixture.result(Verdict.FAIL);
                },
                new Cancellation());
        assertThat(order.subList(1, 1 + 2 * failed.size())).hasSameElementsAs(failed);
        assertThat(order).hasSize(1 + 2 * (failed.size() + 10));

        Campaign real = store.begin("real", CampaignFixture.plan(1, 9, List.of(), null), null, CampaignFixture.NOW);
        assertThat(real.corpus()).as("seeds of rehearsals did not fail").isEmpty();
    }

    @Test
    void shouldRunBlocksOneAfterTheOther() throws InterruptedException {
        CampaignPlan plan = CampaignFixture.plan(
                1, 6, List.of(Block.of("without:2"), Block.of("bind-now:3"), Block.of("none:1")), 0.0);
        Campaign campaign = CampaignFixture.begin(store, plan);
        List<String> order = new ArrayList<>();
        CampaignFixture.run(
                store,
                campaign,
                Shard.WHOLE,
                false,
                (cell, seed, faults, asked) -> {
                    if (cell.scenario().equals("mystery")) {
                        order.add(cell.arm() + " " + seed);
                    }
                    return CampaignFixture.result(Verdict.PASS);
                },
                new Cancellation());

        assertThat(order).containsExactly("none 1", "none 2", "bind-now 3", "bind-now 4", "bind-now 5", "none 6");
    }

    @Test
    void shouldTellEachKindOfFailureOnceWithTheFastestSeed() throws InterruptedException {
        Campaign campaign = CampaignFixture.begin(store, CampaignFixture.plan(60));
        CampaignFixture.run(store, campaign, Shard.WHOLE, false);
        List<TrialRow> failures = store.failures(campaign.name());
        List<CampaignReport.FailureKind> kinds =
                CampaignReport.of(store, campaign).failures();

        assertThat(kinds)
                .extracting(kind -> kind.place().scenario()
                        + kind.what().claim()
                        + kind.what().cause())
                .doesNotHaveDuplicates();
        assertThat(kinds.stream().mapToInt(CampaignReport.FailureKind::seeds).sum())
                .isEqualTo(failures.size());
        assertThat(kinds).allSatisfy(kind -> assertThat(failures)
                .filteredOn(row -> row.cell().scenario().equals(kind.place().scenario())
                        && kind.what().cause().equals(row.result().cause())
                        && String.valueOf(kind.what().claim())
                                .equals(row.result().claim()))
                .allSatisfy(row -> assertThat(row.result().elapsedMs())
                        .isGreaterThanOrEqualTo(kind.example().elapsedMs())));
    }

    @Test
    void shouldRefuseAnotherPlanUnderTheSameName() {
        CampaignFixture.begin(store, CampaignFixture.plan(10));
        assertThatThrownBy(() -> CampaignFixture.begin(store, CampaignFixture.plan(11)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--name");
    }

    @Test
    void shouldLeaveAHalfOfTheFaultsOutOfEachSeed() {
        List<String> faults = List.of("a", "b", "c", "d", "e");
        List<List<String>> swarms = new ArrayList<>();
        for (long seed = 1; seed <= 60; seed++) {
            List<String> swarm = Swarm.of(faults, "soak", seed);
            assertThat(swarm).hasSize(3).isSubsetOf(faults).isEqualTo(Swarm.of(faults, "soak", seed));
            swarms.add(swarm);
        }
        assertThat(swarms.stream().distinct()).as("all ten subsets").hasSize(10);
    }
}
