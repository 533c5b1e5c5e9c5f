package org.naklab.lab.tools.tune.command;

import java.util.List;
import java.util.Map;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.tools.tune.workload.Metric;

/**
 * The arms of one task, compared.
 *
 * @param name of the task or the experiment
 * @param summary of what was measured
 * @param margin relative effects smaller than this make no difference
 * @param arms the default first; empty: this machine can run none
 * @param leftOut why arms cannot be run on this machine, by name
 */
record Comparison(
        String name, String summary, Metric metric, double margin, List<TunedArm> arms, Map<String, String> leftOut) {
    /** Copies the list and the map. */
    Comparison {
        arms = List.copyOf(arms);
        leftOut = Map.copyOf(leftOut);
    }

    /** Returns whether every arm that ran has an answer. */
    boolean isAnswered() {
        return arms.stream()
                .noneMatch(arm -> arm.answer() != null && arm.answer().meaning() == Answer.Meaning.DOUBT);
    }

    /** Returns the arms that change something. */
    List<TunedArm> changed() {
        return arms.stream().filter(arm -> arm.answer() != null).toList();
    }
}
