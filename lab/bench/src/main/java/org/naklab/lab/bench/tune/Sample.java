package org.naklab.lab.bench.tune;

import java.util.List;
import org.naklab.lab.bench.tune.workload.Figure;

/**
 * What one run of a task measured.
 *
 * @param value what is compared
 * @param startMs from the start of the process until the task began, in ms
 * @param cpuMs processor time of the process, in ms
 * @param memoryBytes resident memory without pages of files on a disk
 * @param hugePageBytes memory in huge pages, transparent ones or reserved ones
 * @param figures what else the task measured
 * @param proof what shows that the settings took effect, one line each
 * @param missing settings that were not found in the process; empty: all took effect
 */
public record Sample(
        double value,
        long startMs,
        long cpuMs,
        long memoryBytes,
        long hugePageBytes,
        List<Figure> figures,
        List<String> proof,
        List<String> missing) {
    /** Copies the lists. */
    public Sample {
        figures = List.copyOf(figures);
        proof = List.copyOf(proof);
        missing = List.copyOf(missing);
    }

    /** Returns this sample with another proof. */
    Sample with(List<String> otherProof, List<String> otherMissing) {
        return new Sample(value, startMs, cpuMs, memoryBytes, hugePageBytes, figures, otherProof, otherMissing);
    }
}
