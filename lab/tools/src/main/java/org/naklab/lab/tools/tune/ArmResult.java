package org.naklab.lab.tools.tune;

import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.experiment.Answer;

/**
 * Tells what became of an arm.
 *
 * @param samples of its runs that measured something, in their order
 * @param failures why other runs did not, in their order
 * @param effect against the control, relative: 0.05 is 5 % better
 */
public record ArmResult(Arm arm, List<Sample> samples, List<String> failures, AnytimeInterval effect, Answer answer) {
    /** Copies the lists. */
    public ArmResult {
        samples = List.copyOf(samples);
        failures = List.copyOf(failures);
    }

    /**
     * Compares an arm with the control by the ratios of runs of the same round.
     *
     * @param arm its runs so far
     * @param control the runs so far of the arm that changes nothing
     * @param alpha the probability of an error
     * @param margin relative effects smaller than this do not matter
     * @param isHigherBetter whether a higher value is the better one
     */
    static ArmResult compare(ArmRuns arm, ArmRuns control, double alpha, double margin, boolean isHigherBetter) {
        NavigableMap<Integer, Sample> others = control.samples();
        double[] logs = arm.samples().entrySet().stream()
                .filter(run -> others.containsKey(run.getKey()))
                .mapToDouble(run -> Math.log(run.getValue().value()
                        / Objects.requireNonNull(others.get(run.getKey())).value()))
                .map(log -> isHigherBetter ? log : -log)
                .toArray();
        AnytimeInterval ofLogs = AnytimeInterval.of(logs, alpha);
        AnytimeInterval effect =
                new AnytimeInterval(Math.expm1(ofLogs.low()), Math.expm1(ofLogs.mean()), Math.expm1(ofLogs.high()));
        boolean isInEffect = arm.samples().values().stream()
                .allMatch(sample -> sample.effect().missing().isEmpty());
        return new ArmResult(
                arm.arm(),
                List.copyOf(arm.samples().values()),
                arm.failures(),
                effect,
                isInEffect ? answer(arm, control, effect, margin) : Answer.NOT_IN_EFFECT);
    }

    private static Answer answer(ArmRuns arm, ArmRuns control, AnytimeInterval effect, double margin) {
        Answer answer = effect.answer(margin);
        boolean hasFailed = arm.hasFailed() || control.hasFailed();
        return answer == Answer.NOT_ENOUGH_RUNS && hasFailed ? Answer.FAILED : answer;
    }

    /** Returns the median of a figure of the runs; they must not be empty. */
    public double median(ToDoubleFunction<Sample> figure) {
        return Median.of(samples.stream().mapToDouble(figure));
    }
}
