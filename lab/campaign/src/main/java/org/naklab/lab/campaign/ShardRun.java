package org.naklab.lab.campaign;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.scenarios.Verdict;

/**
 * Runs one shard of a campaign: a census of its seeds, which no failure ends. Each trial is in the history as soon as it has ended, so that
 * a shard that was killed goes on where it was.
 */
public final class ShardRun implements Experiment.Rules<Cell, SeedResult> {
    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Campaign campaign;
    private final Shard shard;
    private final Place place;
    private final SeedRunner runner;
    private final Listener listener;
    private final Cancellation cancellation;
    private final Map<TrialRow.Key, TrialRow> recorded = new HashMap<>();
    private final long total;
    private final long endNs;
    private List<ArmComparison> comparisons = List.of();
    private boolean isStopped;

    /**
     * Tells where a shard runs and writes.
     *
     * @param host name of this machine
     * @param budgetNs no seed begins later than this after the start, ns
     * @param clockNs monotonic
     */
    public record Place(CampaignStore store, String host, long budgetNs, LongSupplier clockNs) {}

    /** Receives the progress, on the thread that runs the shard. */
    public interface Listener {
        /**
         * A trial has ended and is in the history.
         *
         * @param done trials of this shard that are in the history
         * @param total trials of this shard
         */
        void onTrial(TrialRow row, long done, long total);
    }

    /**
     * Tells how far a shard came.
     *
     * @param verdict of its trials; unknown if one is missing
     * @param done trials of this shard that are in the history
     * @param total trials of this shard
     */
    public record Summary(Verdict verdict, long done, long total, boolean isStopped) {}

    /** Creates a shard that has not run yet. */
    public ShardRun(
            Campaign campaign,
            Shard shard,
            Place place,
            SeedRunner runner,
            Listener listener,
            Cancellation cancellation) {
        this.campaign = campaign;
        this.shard = shard;
        this.place = place;
        this.runner = runner;
        this.listener = listener;
        this.cancellation = cancellation;
        isStopped = campaign.isStopped();
        total = steps().stream().mapToLong(CampaignPlan.Step::trials).sum();
        long nowNs = place.clockNs().getAsLong();
        endNs = place.budgetNs() > Long.MAX_VALUE - Math.max(0, nowNs) ? Long.MAX_VALUE : nowNs + place.budgetNs();
    }

    /**
     * Runs the shard.
     *
     * @param isResumed trials that the history has are not run again, unless their verdict is unknown
     */
    public Summary run(boolean isResumed) throws InterruptedException {
        if (isResumed) {
            place.store().trials(campaign.name()).stream()
                    .filter(row -> row.result().verdict() != Verdict.UNKNOWN)
                    .forEach(row -> recorded.put(row.key(), row));
            recorded.keySet().retainAll(keys());
            onRound();
        }
        for (CampaignPlan.Step step : steps()) {
            new Experiment<>(Experiment.Order.IN_TURNS, this::runOrRecall, this, this::isEnded)
                    .run(step.cells(), step.seeds());
        }
        return new Summary(verdict(), recorded.size(), total, isStopped);
    }

    @Override
    public boolean isOpen(Cell cell) {
        return comparisons.stream()
                .noneMatch(comparison ->
                        comparison.decided() && comparison.scenario().equals(cell.scenario()));
    }

    /** Other shards have written meanwhile. */
    @Override
    public void onRound() {
        if (campaign.plan().execution().untilDecided()) {
            compare();
        }
    }

    private void compare() {
        comparisons = ArmComparison.of(campaign.plan(), place.store().marks(campaign.name()));
    }

    @Override
    public boolean isInDoubt(Cell cell, SeedResult result) {
        return result.verdict() == Verdict.UNKNOWN;
    }

    @Override
    public void onTrial(Trial<Cell, SeedResult> trial) {
        TrialRow.Key key = new TrialRow.Key(trial.arm(), trial.seed());
        // A run that was cancelled shows nothing, whatever it came to.
        if (!trial.isCounted() || cancellation.isRequested() || recorded.containsKey(key)) {
            return;
        }
        TrialRow row = new TrialRow(
                trial.arm(),
                trial.seed(),
                trial.result(),
                trial.attempt(),
                leftOut(trial.arm(), trial.seed()),
                place.host(),
                UTC.format(Instant.now()));
        isStopped |= place.store().record(campaign.name(), row);
        recorded.put(key, row);
        listener.onTrial(row, recorded.size(), total);
    }

    private List<CampaignPlan.Step> steps() {
        return campaign.plan().steps(campaign.corpus()).stream()
                .map(step -> new CampaignPlan.Step(step.cells(), shard.of(step.seeds())))
                .toList();
    }

    private List<TrialRow.Key> keys() {
        return steps().stream()
                .flatMap(step -> step.seeds().stream()
                        .flatMap(seed -> step.cells().stream().map(cell -> new TrialRow.Key(cell, seed))))
                .toList();
    }

    private boolean isEnded() {
        return cancellation.isRequested() || isStopped || place.clockNs().getAsLong() >= endNs;
    }

    private SeedResult runOrRecall(Cell cell, long seed) throws InterruptedException {
        TrialRow before = recorded.get(new TrialRow.Key(cell, seed));
        return before == null ? runner.run(cell, seed, faults(cell, seed), cancellation) : before.result();
    }

    private List<String> faults(Cell cell, long seed) {
        CampaignPlan plan = campaign.plan();
        if (cell.isCanary()) {
            return List.of();
        }
        return plan.options().swarm()
                ? Swarm.of(plan.options().faults(), cell.scenario(), seed)
                : plan.options().faults();
    }

    private @Nullable String leftOut(Cell cell, long seed) {
        // A soak draws its faults itself: its plan is in the evidence, and comes again from the seed.
        if (!campaign.plan().options().swarm()
                || campaign.plan().options().faults().isEmpty()
                || cell.isCanary()) {
            return null;
        }
        List<String> kept = faults(cell, seed);
        return campaign.plan().options().faults().stream()
                .filter(fault -> !kept.contains(fault))
                .collect(Collectors.joining(" "));
    }

    private Verdict verdict() {
        return CampaignReport.verdict(
                recorded.values().stream()
                        .map(row ->
                                new CampaignStore.Count(row.cell(), row.result().verdict(), 1))
                        .toList(),
                total,
                shard.number() == 1,
                CampaignReport.isDecided(campaign.plan(), comparisons));
    }
}
