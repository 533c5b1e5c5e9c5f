package org.naklab.lab.tools.tune;

import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.scenarios.experiment.ShareDifference;
import org.naklab.lab.scenarios.experiment.WilsonInterval;

/**
 * Tells what became of an arm.
 *
 * @param samples of its runs that measured something, in their order
 * @param failures why other runs did not, in their order
 * @param effect against the control: relative, so that 0.05 is 5 % better, or the difference of the shares of runs that hit
 * @param share of the runs that hit; {@code null}: the runs have values of another kind
 */
public record ArmResult(
        Arm arm,
        List<Sample> samples,
        List<String> failures,
        AnytimeInterval effect,
        @Nullable WilsonInterval share,
        Answer answer) {
    /** Copies the lists. */
    public ArmResult {
        samples = List.copyOf(samples);
        failures = List.copyOf(failures);
    }

    /**
     * Compares an arm with the control: by the ratios of runs of the same round, or by the shares of runs that hit.
     *
     * @param arm its runs so far
     * @param control the runs so far of the arm with which others are compared
     * @param alpha the probability of an error of an interval of ratios; that of a difference of shares is 5 %
     */
    static ArmResult compare(ArmRuns arm, ArmRuns control, double alpha, Tuning tuning) {
        boolean isShare = tuning.metric().isShare();
        WilsonInterval share = hits(arm);
        AnytimeInterval effect = isShare
                ? difference(share, hits(control))
                : ratio(arm, control, alpha, tuning.metric().isHigherBetter());
        boolean isInEffect = arm.samples().values().stream()
                .allMatch(sample -> sample.effect().missing().isEmpty());
        Answer answer = isInEffect ? answer(arm, control, effect, tuning) : Answer.NOT_IN_EFFECT;
        return new ArmResult(
                arm.arm(),
                List.copyOf(arm.samples().values()),
                arm.failures(),
                effect,
                isShare ? share : null,
                arm == control ? Answer.REFERENCE : answer);
    }

    private static AnytimeInterval ratio(ArmRuns arm, ArmRuns control, double alpha, boolean isHigherBetter) {
        NavigableMap<Integer, Sample> others = control.samples();
        double[] logs = arm.samples().entrySet().stream()
                .filter(run -> others.containsKey(run.getKey()))
                .mapToDouble(run -> Math.log(run.getValue().value()
                        / Objects.requireNonNull(others.get(run.getKey())).value()))
                .map(log -> isHigherBetter ? log : -log)
                .toArray();
        AnytimeInterval ofLogs = AnytimeInterval.of(logs, alpha);
        return new AnytimeInterval(Math.expm1(ofLogs.low()), Math.expm1(ofLogs.mean()), Math.expm1(ofLogs.high()));
    }

    /** Returns the difference of the shares with its 95 % interval, which holds for one look, after all rounds. */
    private static AnytimeInterval difference(WilsonInterval share, WilsonInterval ofControl) {
        ShareDifference difference = ShareDifference.of(share, ofControl);
        return new AnytimeInterval(difference.low(), difference.value(), difference.high());
    }

    private static WilsonInterval hits(ArmRuns arm) {
        return WilsonInterval.of(
                (int) arm.samples().values().stream()
                        .filter(sample -> sample.value() > 0)
                        .count(),
                arm.samples().size());
    }

    private static Answer answer(ArmRuns arm, ArmRuns control, AnytimeInterval effect, Tuning tuning) {
        Answer answer =
                tuning.metric().isShare() ? answerOfShares(effect, tuning.margin()) : effect.answer(tuning.margin());
        boolean hasFailed = arm.hasFailed() || control.hasFailed();
        return answer == Answer.NOT_ENOUGH_RUNS && hasFailed ? Answer.FAILED : answer;
    }

    private static Answer answerOfShares(AnytimeInterval difference, double margin) {
        if (difference.low() > 0) {
            return Answer.MORE_OFTEN;
        }
        if (difference.high() < 0) {
            return Answer.LESS_OFTEN;
        }
        return difference.low() >= -margin && difference.high() <= margin
                ? Answer.NO_DIFFERENCE
                : Answer.NOT_ENOUGH_RUNS;
    }

    /** Returns the median of a figure of the runs; they must not be empty. */
    public double median(ToDoubleFunction<Sample> figure) {
        return Median.of(samples.stream().mapToDouble(figure));
    }
}
