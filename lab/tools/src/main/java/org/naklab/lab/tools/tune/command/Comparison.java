package org.naklab.lab.tools.tune.command;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.tools.tune.Arm;
import org.naklab.lab.tools.tune.workload.Metric;

/**
 * The arms of one task, compared.
 *
 * @param name of the task or the experiment
 * @param summary of what was measured
 * @param margin effects smaller than this make no difference, relative ones or differences of shares
 * @param arms the control first; empty: this machine can run none
 * @param leftOut why arms cannot be run on this machine, by name
 */
public record Comparison(
        String name, String summary, Metric metric, double margin, List<TunedArm> arms, Map<String, String> leftOut) {
    /** Copies the list and the map. */
    public Comparison {
        arms = List.copyOf(arms);
        leftOut = Map.copyOf(leftOut);
    }

    /** Returns whether every arm that ran has an answer. */
    public boolean isAnswered() {
        return arms.stream()
                .noneMatch(arm -> arm.answer() != null && arm.answer().meaning() == Answer.Meaning.DOUBT);
    }

    /** Returns the head of the column of the effects, whose reference is the first arm. */
    String effectHead() {
        return (metric.isShare() ? "difference from " : "better than ")
                + (arms.isEmpty() ? Arm.CONTROL.name() : arms.get(0).name());
    }

    /** Returns what the values are, and how to read them. */
    String reading() {
        return metric.isShare()
                ? metric.unit() + ", with the 95 % interval of their share"
                : metric.unit() + ", medians, " + (metric.isHigherBetter() ? "higher" : "lower") + " is better";
    }

    /** Returns the answer about each arm, in one line. */
    String sentence() {
        return changed().stream()
                .map(arm -> arm.name() + ": " + arm.answer())
                .collect(Collectors.joining(". ", "", "."));
    }

    /** Returns the arms that change something. */
    List<TunedArm> changed() {
        return arms.stream().filter(arm -> arm.answer() != null).toList();
    }
}
