package org.naklab.lab.tools.tune;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.tools.tune.workload.Figure;

/**
 * Tells what one run of a task measured.
 *
 * @param value what is compared
 * @param figures what else the task measured
 * @param failedConditions of the run of a scenario whose verdict is fail; empty: none, or it is a benchmark
 */
public record Sample(
        double value,
        @JsonUnwrapped Cost cost,
        List<Figure> figures,
        @JsonUnwrapped Effect effect,
        List<String> failedConditions) {
    /**
     * Contains what the run used.
     *
     * @param startMs from the start of the process until the task began, in ms
     * @param cpuMs processor time of the process, in ms
     * @param memoryBytes resident memory without pages of files on a disk
     * @param hugePageBytes memory in huge pages, transparent ones or reserved ones
     */
    public record Cost(long startMs, long cpuMs, long memoryBytes, long hugePageBytes) {}

    /**
     * Contains whether the settings were in effect.
     *
     * @param proof what shows that the settings took effect, one line each
     * @param missing settings that were not found in the process; empty: all took effect
     */
    public record Effect(List<String> proof, List<String> missing) {
        public Effect {
            proof = List.copyOf(proof);
            missing = List.copyOf(missing);
        }
    }

    /** Copies the lists. */
    public Sample {
        figures = List.copyOf(figures);
        failedConditions = List.copyOf(failedConditions);
    }

    /** Returns this sample with more lines of proof, before its own, and more settings that were not found. */
    Sample with(List<String> moreProof, List<String> moreMissing) {
        return new Sample(
                value,
                cost,
                figures,
                new Sample.Effect(joined(moreProof, effect.proof()), joined(moreMissing, effect.missing())),
                failedConditions);
    }

    /** Returns this sample with more figures, behind its own. */
    Sample with(List<Figure> moreFigures) {
        return new Sample(value, cost, joined(figures, moreFigures), effect, failedConditions);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
