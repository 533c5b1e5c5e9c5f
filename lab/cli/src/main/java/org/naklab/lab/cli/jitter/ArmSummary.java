package org.naklab.lab.cli.jitter;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.naklab.lab.bench.jitter.JitterReport;
import org.naklab.lab.bench.jitter.JitterReport.OperationCount;
import org.naklab.lab.scenarios.experiment.WilsonInterval;

/**
 * One arm on one JDK: all its rounds together.
 *
 * @param jdk feature release
 * @param maxUs the longest latency of each round, in order of size, us
 * @param outliers how many, in all rounds
 * @param secondsWithOutlier in how many seconds of how many there was an outlier, with the 95 % confidence interval of that share
 * @param secondsWithPause the same of outliers whose reason is a safepoint or a collection
 * @param periodicPerMinute safepoints that the JVM made of its own accord, by JFR
 * @param safepoints by operation, of all rounds, by JFR
 * @param effect compared with the first arm on the same JDK
 */
record ArmSummary(
        int jdk,
        String java,
        String arm,
        List<String> flags,
        int rounds,
        JitterReport.Latency latencyUs,
        List<Double> maxUs,
        long outliers,
        WilsonInterval secondsWithOutlier,
        WilsonInterval secondsWithPause,
        double periodicPerMinute,
        List<OperationCount> safepoints,
        Effect effect) {
    /** What an arm does to the seconds with an outlier. */
    enum Effect {
        /** It is the first. */
        @JsonProperty("reference")
        REFERENCE,
        /** The intervals do not overlap, and that of this arm is lower. */
        @JsonProperty("fewer")
        FEWER,
        /** The same, higher. */
        @JsonProperty("more")
        MORE,
        /** The intervals overlap. */
        @JsonProperty("no-difference-seen")
        NO_DIFFERENCE_SEEN;

        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Sums up the rounds of an arm; at least one. */
    static ArmSummary of(Jdk jdk, Arm arm, List<JitterReport> rounds) {
        // Of the same range, and empty.
        Histogram all = new Histogram(rounds.get(0).histogram());
        rounds.forEach(round -> all.add(round.histogram()));
        double minutes = rounds.stream().mapToDouble(JitterReport::durationS).sum() / 60;
        int seconds = sum(rounds, round -> (long) Math.ceil(round.durationS()));
        long periodic =
                rounds.stream().mapToLong(JitterReport::periodicSafepoints).sum();
        return new ArmSummary(
                jdk.feature(),
                rounds.get(0).java(),
                arm.name(),
                arm.flags(),
                rounds.size(),
                JitterReport.Latency.of(all),
                rounds.stream().map(round -> round.latencyUs().max()).sorted().toList(),
                rounds.stream().mapToLong(JitterReport::outliers).sum(),
                WilsonInterval.of(sum(rounds, JitterReport::secondsWithOutlier), seconds),
                WilsonInterval.of(sum(rounds, JitterReport::secondsWithPause), seconds),
                periodic / minutes,
                operations(rounds),
                Effect.REFERENCE);
    }

    private static int sum(List<JitterReport> rounds, ToLongFunction<JitterReport> figure) {
        return Math.toIntExact(rounds.stream().mapToLong(figure).sum());
    }

    private static List<OperationCount> operations(List<JitterReport> rounds) {
        Map<String, Long> counts = new TreeMap<>();
        rounds.forEach(round ->
                round.jfrSafepoints().forEach(each -> counts.merge(each.operation(), each.count(), Long::sum)));
        List<OperationCount> list = new ArrayList<>();
        counts.forEach((operation, count) -> list.add(new OperationCount(operation, count)));
        return list;
    }

    /** Returns the same, compared with the first arm. */
    ArmSummary comparedWith(ArmSummary first) {
        Effect compared = secondsWithOutlier.high() < first.secondsWithOutlier.low()
                ? Effect.FEWER
                : secondsWithOutlier.low() > first.secondsWithOutlier.high() ? Effect.MORE : Effect.NO_DIFFERENCE_SEEN;
        return new ArmSummary(
                jdk,
                java,
                arm,
                flags,
                rounds,
                latencyUs,
                maxUs,
                outliers,
                secondsWithOutlier,
                secondsWithPause,
                periodicPerMinute,
                safepoints,
                this.arm.equals(first.arm) ? Effect.REFERENCE : compared);
    }
}
