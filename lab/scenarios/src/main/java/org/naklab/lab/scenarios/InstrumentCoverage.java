package org.naklab.lab.scenarios;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.instruments.memory.MajorFaultStack;
import org.naklab.lab.instruments.sampling.SamplerStatistics;

/**
 * The instruments of a run, those that were blind, and the cost of observation.
 *
 * @param faultStacks of the receipt thread's major faults, by time; empty too where {@code perf} is blind
 * @param safepoints of the service by operation; {@code null}: JFR did not observe it
 * @param lostSamples that the file of samples lacks, because its writer did not keep up
 * @param unkept what was seen and could not be written, and why, each one line
 */
public record InstrumentCoverage(
        Sight sight,
        List<MajorFaultStack> faultStacks,
        @Nullable List<SafepointTable.Row> safepoints,
        SamplerStatistics sampler,
        long lostSamples,
        List<String> unkept) {
    /**
     * Tells which instruments saw something.
     *
     * @param reading each instrument that looked, one line
     * @param blind each that could not, or no longer, and why, one line
     * @param unseenSockets processes whose sockets nobody saw: their drops are not known to be none
     */
    public record Sight(List<String> reading, List<String> blind, Set<String> unseenSockets) {
        public Sight {
            reading = List.copyOf(reading);
            blind = List.copyOf(blind);
            unseenSockets = Set.copyOf(unseenSockets);
        }
    }

    public InstrumentCoverage {
        faultStacks = List.copyOf(faultStacks);
        safepoints = safepoints == null ? null : List.copyOf(safepoints);
        unkept = List.copyOf(unkept);
    }

    /** Nothing looked, and nothing was meant to. */
    public static InstrumentCoverage none() {
        return new InstrumentCoverage(
                new InstrumentCoverage.Sight(List.of(), List.of(), Set.of()),
                List.of(),
                null,
                new SamplerStatistics(0, 0, 0, 0, 0),
                0,
                List.of());
    }

    /** Returns this coverage with further evidence that could not be written. */
    InstrumentCoverage withUnkept(List<String> more) {
        return new InstrumentCoverage(
                sight,
                faultStacks,
                safepoints,
                sampler,
                lostSamples,
                Stream.concat(unkept.stream(), more.stream()).toList());
    }

    /** Qualifies a condition on the diagnosis: a wrong cause may be due to a blind instrument. */
    public Expectation onDiagnosis(Expectation condition) {
        return sight.blind().isEmpty() ? condition : condition.inDoubt();
    }
}
