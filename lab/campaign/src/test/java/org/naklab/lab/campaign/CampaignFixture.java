package org.naklab.lab.campaign;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.scenarios.Verdict;

/** Campaigns of computed runs. */
final class CampaignFixture {
    static final String NAME = "night";
    static final String NOW = "2026-11-26T22:00:00.000Z";

    private CampaignFixture() {}

    static CampaignPlan plan(long lastSeed) {
        return plan(1, lastSeed, List.of(), 0.2);
    }

    static CampaignPlan plan(long firstSeed, long lastSeed, List<Block> blocks, @Nullable Double rehearsal) {
        return new CampaignPlan(
                new CampaignPlan.Grid(List.of("baseline", "mystery"), List.of("none"), firstSeed, lastSeed, blocks),
                new CampaignPlan.Options(false, List.of(), List.of(), null),
                new CampaignPlan.Execution(false, false, rehearsal));
    }

    static Campaign begin(CampaignStore store, CampaignPlan plan) {
        return store.begin(NAME, plan, null, NOW);
    }

    /** Runs a shard by computed results. */
    static ShardRun.Summary run(CampaignStore store, Campaign campaign, Shard shard, boolean isResumed)
            throws InterruptedException {
        return run(store, campaign, shard, isResumed, new Rehearsal(0.2), new Cancellation());
    }

    static ShardRun.Summary run(
            CampaignStore store,
            Campaign campaign,
            Shard shard,
            boolean isResumed,
            SeedRunner runner,
            Cancellation cancellation)
            throws InterruptedException {
        ShardRun.Place place = new ShardRun.Place(store, "host", Long.MAX_VALUE, new AtomicLong()::get);
        return new ShardRun(campaign, shard, place, runner, (row, done, total) -> {}, cancellation).run(isResumed);
    }

    static SeedResult result(Verdict verdict) {
        return new SeedResult(verdict, null, "none", "naklab run", 1, 0, 0, 0, List.of(), null);
    }

    /** What must not depend on where and when a seed was run. */
    record Essence(
            TrialRow.Key key, SeedResult result, @Nullable String leftOut) {}

    static List<Essence> essences(CampaignStore store, String campaign) {
        return store.trials(campaign).stream()
                .map(row -> new Essence(row.key(), row.result(), row.leftOut()))
                .toList();
    }
}
