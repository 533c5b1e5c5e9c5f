package org.naklab.lab.bench.tune;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.naklab.lab.core.Median;

/**
 * What became of an arm.
 *
 * @param samples of its runs, in their order
 * @param effect against the control, relative: 0.05 is 5 % better
 */
public record ArmResult(Arm arm, List<Sample> samples, AnytimeInterval effect, Answer answer) {
    /** Copies the list. */
    public ArmResult {
        samples = List.copyOf(samples);
    }

    /**
     * Compares an arm with the control by the ratios of runs that followed each other.
     *
     * @param alpha the probability of an error
     * @param margin relative effects smaller than this do not matter
     * @param isHigherBetter whether a higher value is the better one
     */
    static ArmResult compare(
            Arm arm, List<Sample> samples, List<Sample> control, double alpha, double margin, boolean isHigherBetter) {
        double[] logs = IntStream.range(0, Math.min(samples.size(), control.size()))
                .mapToDouble(
                        i -> Math.log(samples.get(i).value() / control.get(i).value()))
                .map(log -> isHigherBetter ? log : -log)
                .toArray();
        AnytimeInterval ofLogs = AnytimeInterval.of(logs, alpha);
        AnytimeInterval effect =
                new AnytimeInterval(Math.expm1(ofLogs.low()), Math.expm1(ofLogs.mean()), Math.expm1(ofLogs.high()));
        boolean isInEffect =
                samples.stream().allMatch(sample -> sample.missing().isEmpty());
        return new ArmResult(arm, samples, effect, isInEffect ? Answer.of(effect, margin) : Answer.NOT_IN_EFFECT);
    }

    /** Returns the median of a figure of the runs. */
    public double median(ToDoubleFunction<Sample> figure) {
        return Median.of(samples.stream().mapToDouble(figure));
    }
}
