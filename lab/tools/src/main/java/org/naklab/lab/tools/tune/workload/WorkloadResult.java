package org.naklab.lab.tools.tune.workload;

import java.util.Arrays;
import java.util.List;

/**
 * Tells what a workload measured in one process.
 *
 * @param values one per round
 * @param figures what else it measured
 * @param proof what shows in which way the work was done, one line each
 */
public record WorkloadResult(List<Double> values, List<Figure> figures, List<String> proof) {
    /** Copies the lists. */
    public WorkloadResult {
        values = List.copyOf(values);
        figures = List.copyOf(figures);
        proof = List.copyOf(proof);
    }

    /** Creates a result that has values only. */
    public static WorkloadResult of(double[] values) {
        return new WorkloadResult(Arrays.stream(values).boxed().toList(), List.of(), List.of());
    }
}
