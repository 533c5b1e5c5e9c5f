package org.naklab.lab.tools.jitter.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.scenarios.experiment.WilsonInterval;
import org.naklab.lab.tools.jitter.JitterReport;
import org.naklab.lab.tools.jitter.JitterReport.OperationCount;
import org.naklab.lab.tools.tune.AnytimeInterval;

/**
 * One arm on one JDK: all its rounds together.
 */
record ArmSummary(
        @JsonUnwrapped Tried tried,
        @JsonUnwrapped Measured measured,
        @JsonUnwrapped Tail tail,
        @JsonUnwrapped Pauses pauses,
        @JsonUnwrapped Against against) {
    /**
     * Names the JDK and the arm.
     *
     * @param jdk feature release
     */
    record Tried(int jdk, String java, String arm, List<String> flags, int rounds) {}

    /**
     * Contains the latencies and the outliers.
     *
     * @param maxUs the longest latency of each round, in order of size, us
     * @param outliers how many, in all rounds
     * @param secondsWithOutlier in how many seconds of how many there was an outlier, with the 95 % confidence interval of that share
     * @param secondsWithPause the same of outliers whose reason is a safepoint or a collection
     */
    record Measured(
            JitterReport.Latency latencyUs,
            List<Double> maxUs,
            long outliers,
            WilsonInterval secondsWithOutlier,
            WilsonInterval secondsWithPause) {}

    /**
     * Compares the 99.9th percentile with that of the reference.
     *
     * @param p999Us the percentile of each round, in their order, us
     * @param p999Effect how much shorter that is than in the same round of the reference, relative: 1 is half as long; {@code null}: it is the reference, or
     *     there are too few rounds for an interval
     * @param answer what follows for that percentile; {@code null}: it is the reference
     */
    record Tail(
            List<Double> p999Us,
            @Nullable AnytimeInterval p999Effect,
            @Nullable Answer answer) {}

    /**
     * Contains the safepoints.
     *
     * @param periodicPerMinute those that the JVM made of its own accord, by JFR
     * @param longestToSafepointUs the longest time until all threads had stopped, by the JVM's log, us
     * @param meanToSafepointUs the mean time until all threads had stopped, by the JVM's log, us
     * @param safepoints by operation, of all rounds, by JFR
     */
    record Pauses(
            double periodicPerMinute,
            double longestToSafepointUs,
            double meanToSafepointUs,
            List<OperationCount> safepoints) {}

    /**
     * Compares the seconds with an outlier with those of another arm.
     *
     * @param comparedWith name of that arm, on the same JDK; {@code null}: this one is a reference itself
     * @param effect on the seconds with an outlier
     * @param pauseShares the share of the seconds with an outlier for a safepoint or a collection of each round, in their order, 0 to 1
     * @param fewerPauses by how much that share is lower than in the same round of the reference, 1: in all seconds there instead of none; {@code null}: it is the
     *     reference, or there are too few rounds for an interval
     * @param pauseAnswer what follows for that share; {@code null}: it is the reference
     */
    record Against(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String comparedWith,

            Answer effect,
            List<Double> pauseShares,
            @Nullable AnytimeInterval fewerPauses,
            @Nullable Answer pauseAnswer) {
        String effectWords() {
            return effect.label().replace('-', ' ');
        }
    }

    /** Probability of an error, for all arms of a JDK together. */
    private static final double ALPHA = 0.05;

    /** Percentiles of latency that differ by less are alike, and so are shares of seconds. */
    static final double MARGIN = 0.1;

    /** Sums up the rounds of an arm; at least one. */
    static ArmSummary of(Jdk jdk, Arm arm, List<JitterReport> rounds) {
        // Of the same range, and empty.
        Histogram all = new Histogram(rounds.get(0).histogram());
        rounds.forEach(round -> all.add(round.histogram()));
        double minutes =
                rounds.stream().mapToDouble(each -> each.run().durationS()).sum() / 60;
        int seconds = sum(rounds, round -> (long) Math.ceil(round.run().durationS()));
        long periodic = rounds.stream()
                .mapToLong(each -> each.pauses().periodicSafepoints())
                .sum();
        return new ArmSummary(
                new Tried(jdk.feature(), rounds.get(0).run().java(), arm.name(), arm.flags(), rounds.size()),
                new Measured(
                        JitterReport.Latency.of(all),
                        rounds.stream()
                                .map(round -> round.measured().latencyUs().max())
                                .sorted()
                                .toList(),
                        rounds.stream()
                                .mapToLong(each -> each.outlying().outliers())
                                .sum(),
                        WilsonInterval.of(sum(rounds, each -> each.pauses().secondsWithOutlier()), seconds),
                        WilsonInterval.of(sum(rounds, each -> each.pauses().secondsWithPause()), seconds)),
                new Tail(
                        rounds.stream()
                                .map(round -> round.measured().latencyUs().p999())
                                .toList(),
                        null,
                        null),
                new Pauses(
                        periodic / minutes,
                        rounds.stream()
                                .flatMap(round -> round.pauses().safepoints().stream())
                                .mapToDouble(row -> row.longestToSafepointNs() / Units.NS_PER_US)
                                .max()
                                .orElse(0),
                        meanToSafepointUs(rounds),
                        operations(rounds)),
                new Against(
                        null,
                        Answer.REFERENCE,
                        rounds.stream()
                                .map(round -> round.pauses().secondsWithPause()
                                        / Math.ceil(round.run().durationS()))
                                .toList(),
                        null,
                        null));
    }

    private static int sum(List<JitterReport> rounds, ToLongFunction<JitterReport> figure) {
        return Math.toIntExact(rounds.stream().mapToLong(figure).sum());
    }

    private static double meanToSafepointUs(List<JitterReport> rounds) {
        List<SafepointTable.Row> rows = rounds.stream()
                .flatMap(round -> round.pauses().safepoints().stream())
                .toList();
        long count = rows.stream().mapToLong(SafepointTable.Row::count).sum();
        return count == 0
                ? 0
                : rows.stream().mapToLong(SafepointTable.Row::toSafepointNs).sum() / Units.NS_PER_US / count;
    }

    private static List<OperationCount> operations(List<JitterReport> rounds) {
        Map<String, Long> counts = new TreeMap<>();
        rounds.forEach(round -> round.pauses()
                .jfrSafepoints()
                .forEach(each -> counts.merge(each.operation(), each.count(), Long::sum)));
        List<OperationCount> list = new ArrayList<>();
        counts.forEach((operation, count) -> list.add(new OperationCount(operation, count)));
        return list;
    }

    /**
     * Returns the same, compared with another arm, round by round as they followed each other.
     *
     * @param others how many arms are compared with that one
     */
    ArmSummary comparedWith(ArmSummary first, int others) {
        List<Double> own = tail.p999Us();
        double alpha = ALPHA / Math.max(1, others);
        AnytimeInterval ofLogs =
                AnytimeInterval.of(byRound(first.tail.p999Us(), own, (theirs, ours) -> Math.log(theirs / ours)), alpha);
        List<Double> shares = against.pauseShares();
        AnytimeInterval fewer = AnytimeInterval.of(
                byRound(first.against.pauseShares(), shares, (theirs, ours) -> theirs - ours), alpha);
        AnytimeInterval shorter =
                new AnytimeInterval(Math.expm1(ofLogs.low()), Math.expm1(ofLogs.mean()), Math.expm1(ofLogs.high()));
        WilsonInterval here = measured.secondsWithOutlier();
        WilsonInterval there = first.measured.secondsWithOutlier();
        Answer compared = here.high() < there.low()
                ? Answer.FEWER
                : here.low() > there.high() ? Answer.MORE : Answer.NO_DIFFERENCE_SEEN;
        return new ArmSummary(
                tried,
                measured,
                new Tail(own, Double.isFinite(shorter.high()) ? shorter : null, shorter.answer(MARGIN)),
                pauses,
                new Against(
                        first.tried.arm(),
                        compared,
                        shares,
                        Double.isFinite(fewer.high()) ? fewer : null,
                        fewer.answer(MARGIN)));
    }

    private static double[] byRound(List<Double> theirs, List<Double> ours, DoubleBinaryOperator difference) {
        return IntStream.range(0, Math.min(theirs.size(), ours.size()))
                .mapToDouble(round -> difference.applyAsDouble(theirs.get(round), ours.get(round)))
                .toArray();
    }

    /** Returns whether further rounds would tell nothing new: one of both figures is better or worse, or both make no difference. A reference has no answer of its own. */
    boolean isAnswered() {
        return isBetterOrWorse(tail.answer())
                || isBetterOrWorse(against.pauseAnswer())
                || (tail.answer() == Answer.NO_DIFFERENCE && against.pauseAnswer() == Answer.NO_DIFFERENCE);
    }

    private static boolean isBetterOrWorse(@Nullable Answer answer) {
        return answer == Answer.HELPS || answer == Answer.HURTS;
    }

    /** Returns what was seen, as one sentence for people: what was counted, not what the documentation of a JDK says. */
    String sentence() {
        String operations = operations();
        Answer answer = tail.answer();
        return "JDK " + tried.jdk() + ", " + tried.arm() + ": "
                + (operations.isEmpty()
                        ? "no periodic safepoint, and no other"
                        : (pauses.periodicPerMinute() == 0 ? "no periodic safepoint; " : "") + "safepoints: "
                                + operations
                                + String.format(
                                        Locale.ROOT, "; longest way to one %,.0f us", pauses.longestToSafepointUs()))
                + "; outliers for a safepoint or a collection in " + share(measured.secondsWithPause())
                + " of the seconds"
                + (against.pauseAnswer() == null ? "" : ": " + against.pauseAnswer())
                + (answer == null ? "" : "; p99.9: " + answer + effectText());
    }

    /** Returns the operations with their counts, for people; empty if there was no safepoint. */
    String operations() {
        return pauses.safepoints().stream()
                .map(each -> each.count() + " " + (each.operation().isEmpty() ? "without operation" : each.operation()))
                .collect(Collectors.joining(", "));
    }

    private String effectText() {
        AnytimeInterval shorter = tail.p999Effect();
        return shorter == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", %.2f times that of %s (%.2f to %.2f)",
                        1 / (1 + shorter.mean()),
                        against.comparedWith(),
                        1 / (1 + shorter.high()),
                        1 / (1 + shorter.low()));
    }

    /** Returns a proportion with its interval. */
    static String share(WilsonInterval interval) {
        return String.format(
                Locale.ROOT,
                "%d of %d (%.0f to %.0f %%)",
                interval.hits(),
                interval.trials(),
                100 * interval.low(),
                100 * interval.high());
    }
}
