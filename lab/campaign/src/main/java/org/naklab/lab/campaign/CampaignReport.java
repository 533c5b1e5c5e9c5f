package org.naklab.lab.campaign;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.WilsonInterval;

/**
 * Describes how a campaign stands.
 *
 * @param canary whether the pipeline was seen to find a failure
 * @param failures each kind once, the most frequent first
 * @param note what these figures cannot show; {@code null}: nothing
 */
public record CampaignReport(
        @JsonUnwrapped State state,
        Canary canary,
        @JsonUnwrapped Findings findings,
        List<FailureKind> failures,
        @Nullable String note) {
    /**
     * Tells how far it is.
     *
     * @param verdict of all trials; unknown without a canary that failed, or if a trial is missing
     * @param done trials that are in the history
     * @param total trials of the campaign, the canary included
     */
    public record State(String name, Verdict verdict, long done, long total) {}

    /**
     * Contains what the runs show.
     *
     * @param arms each with the share of its trials that failed
     * @param comparisons of the two arms of each scenario, by the seeds of both; empty if there are not two
     * @param remaining receivers that still lose where a cured service does not
     */
    public record Findings(List<ArmFigures> arms, List<ArmComparison> comparisons, List<RemainingLoss> remaining) {}

    private static final double PERCENT = 100;

    /** Says what became of the seed that must fail. */
    public enum Canary {
        /** It has not been run yet. */
        NOT_RUN("was not run yet"),
        /** It failed, as it must. */
        FAILED("failed, as it must"),
        /** It did not fail, so failures of other seeds may have been missed as well. */
        MISSED("did not fail, so that failures of other seeds may have been missed");

        private final String words;

        Canary(String words) {
            this.words = words;
        }

        /** Returns the end of a sentence about the canary. */
        public String words() {
            return words;
        }
    }

    /**
     * The trials of a cell.
     *
     * @param failed share with its 95 % confidence interval; trials without a verdict are not counted
     * @param unknown number of trials without a verdict
     */
    public record ArmFigures(Cell cell, WilsonInterval failed, int unknown) {}

    /**
     * Failures of one scenario by one claim with one cause.
     *
     * @param seeds how many there are
     */
    public record FailureKind(
            @JsonUnwrapped Place place,
            @JsonUnwrapped What what,
            int seeds,
            @JsonUnwrapped Example example) {
        /**
         * Tells where it failed.
         *
         * @param arm of the seed that fails fastest
         */
        public record Place(String scenario, String arm) {}

        /** Tells how it failed. */
        public record What(@Nullable String claim, String cause) {}

        /**
         * Names the run that shows it fastest.
         *
         * @param fastestSeed the one that fails in the shortest time
         * @param replay one line that runs it again
         * @param runDirectory its evidence; {@code null}: none was kept
         */
        public record Example(
                long fastestSeed,
                long elapsedMs,
                String replay,
                String host,
                @Nullable String runDirectory) {}
    }

    /** Reads how a campaign stands. */
    public static CampaignReport of(CampaignStore store, Campaign campaign) {
        return of(store, campaign, store.marks(campaign.name()));
    }

    /** Reads how a campaign stands whose marks are read already. */
    static CampaignReport of(CampaignStore store, Campaign campaign, List<CampaignStore.Mark> marks) {
        List<CampaignStore.Count> counts = store.counts(campaign.name());
        long total = campaign.trials();
        List<ArmComparison> comparisons = ArmComparison.of(campaign.plan(), marks);
        return new CampaignReport(
                new CampaignReport.State(
                        campaign.name(),
                        verdict(counts, total, true, isDecided(campaign.plan(), comparisons)),
                        counts.stream().mapToLong(CampaignStore.Count::trials).sum(),
                        total),
                canary(counts),
                new CampaignReport.Findings(
                        campaign.plan().cells().stream()
                                .map(cell -> figures(cell, counts))
                                .toList(),
                        comparisons,
                        RemainingLoss.of(campaign.plan(), marks)),
                kinds(store.failures(campaign.name())),
                note(campaign.plan()));
    }

    /**
     * Judges trials.
     *
     * @param total number of trials that there should be
     * @param isCanaryDue whether one of them is the canary
     * @param isDecided whether the trials that are missing were left out because the others had decided the question
     */
    static Verdict verdict(List<CampaignStore.Count> counts, long total, boolean isCanaryDue, boolean isDecided) {
        boolean isBlind = isCanaryDue && canary(counts) != Canary.FAILED;
        if (isBlind) {
            return Verdict.UNKNOWN;
        }
        if (counts.stream()
                .anyMatch(count ->
                        count.verdict() == Verdict.FAIL && !count.cell().isCanary())) {
            return Verdict.FAIL;
        }
        long passed = counts.stream()
                .filter(count -> count.verdict() == Verdict.PASS || count.cell().isCanary())
                .mapToLong(CampaignStore.Count::trials)
                .sum();
        long due = isDecided
                ? counts.stream().mapToLong(CampaignStore.Count::trials).sum()
                : total;
        return passed == due ? Verdict.PASS : Verdict.UNKNOWN;
    }

    /** Returns whether a sequential test has ended the campaign. */
    static boolean isDecided(CampaignPlan plan, List<ArmComparison> comparisons) {
        return plan.execution().untilDecided() && comparisons.stream().allMatch(ArmComparison::decided);
    }

    /** Returns a comparison as a sentence without a full stop. */
    public static String words(ArmComparison of) {
        return String.format(
                Locale.ROOT,
                "%s: the share of failures of %s minus that of %s is %+.1f %% (95 %% interval %+.1f to %+.1f %%, %d seeds of both). "
                        + "Only %s failed at %d seeds, only %s at %d: the sequential test %s",
                of.scenario(),
                of.first(),
                of.second(),
                PERCENT * of.difference().value(),
                PERCENT * of.difference().low(),
                PERCENT * of.difference().high(),
                of.pairs(),
                of.first(),
                of.test().firstOnly(),
                of.second(),
                of.test().secondOnly(),
                of.decided() ? "says that they differ" : "has not decided yet");
    }

    private static Canary canary(List<CampaignStore.Count> counts) {
        return counts.stream()
                .filter(count -> count.cell().isCanary())
                .findFirst()
                .map(count -> count.verdict() == Verdict.FAIL ? Canary.FAILED : Canary.MISSED)
                .orElse(Canary.NOT_RUN);
    }

    private static ArmFigures figures(Cell cell, List<CampaignStore.Count> counts) {
        int failed = trials(cell, Verdict.FAIL, counts);
        return new ArmFigures(
                cell,
                WilsonInterval.of(failed, failed + trials(cell, Verdict.PASS, counts)),
                trials(cell, Verdict.UNKNOWN, counts));
    }

    private static int trials(Cell cell, Verdict verdict, List<CampaignStore.Count> counts) {
        return counts.stream()
                .filter(count -> count.cell().equals(cell) && count.verdict() == verdict)
                .mapToInt(CampaignStore.Count::trials)
                .sum();
    }

    /** The rows of a kind follow each other, the fastest first. */
    private static List<FailureKind> kinds(List<TrialRow> failures) {
        List<FailureKind> kinds = new ArrayList<>();
        for (TrialRow row : failures) {
            FailureKind last = kinds.isEmpty() ? null : kinds.get(kinds.size() - 1);
            if (last != null && isOf(row, last)) {
                kinds.set(kinds.size() - 1, withOneMore(last));
            } else {
                kinds.add(first(row));
            }
        }
        kinds.sort((a, b) -> Integer.compare(b.seeds(), a.seeds()));
        return List.copyOf(kinds);
    }

    private static boolean isOf(TrialRow row, FailureKind kind) {
        return row.cell().scenario().equals(kind.place().scenario())
                && Objects.equals(row.result().claim(), kind.what().claim())
                && row.result().cause().equals(kind.what().cause());
    }

    private static FailureKind first(TrialRow row) {
        SeedResult result = row.result();
        return new FailureKind(
                new FailureKind.Place(row.cell().scenario(), row.cell().arm()),
                new FailureKind.What(result.claim(), result.cause()),
                1,
                new FailureKind.Example(
                        row.seed(), result.elapsedMs(), result.replay(), row.host(), result.runDirectory()));
    }

    private static FailureKind withOneMore(FailureKind kind) {
        return new FailureKind(kind.place(), kind.what(), kind.seeds() + 1, kind.example());
    }

    private static @Nullable String note(CampaignPlan plan) {
        if (plan.execution().rehearsal() != null) {
            return "a rehearsal: the verdicts are computed from the seeds, and nothing was run";
        }
        return plan.execution().exclusive()
                ? null
                : "the machines were shared: these figures say nothing about latency (--exclusive: machines of its own)";
    }
}
