package org.naklab.lab.cases;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.RunCase;

/**
 * {@code truth.json}: what the injector of faults knows of a case. It stands apart, so that a case can be judged, and given to others, without it.
 *
 * @param format version of the format, as in {@link CaseDocument}
 * @param run parameters of the run
 * @param addedFaults entries of a fault plan, in addition to the faults of the scenario
 * @param faults with their proofs, by their ids
 * @param unheld what the scenario predicted and was not seen; {@code null}: all was seen
 * @param byOthers what others than the lab did to the run, in one sentence; {@code null}: nothing. The scenario does not do it again
 */
public record Truth(
        int format,
        RunCase run,
        List<JsonNode> addedFaults,
        Map<String, FaultRecord> faults,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Unheld unheld,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String byOthers) {
    /** Name of the file in the directory of the case. */
    public static final String NAME = "truth.json";

    /**
     * Conditions of a run that did not hold. A run that has some is not clean, whatever was seen.
     *
     * @param atNs when they were checked, CLOCK_MONOTONIC, ns
     * @param lines each one line
     */
    public record Unheld(long atNs, List<String> lines) {
        public Unheld {
            lines = List.copyOf(lines);
        }
    }

    public Truth {
        addedFaults = List.copyOf(addedFaults);
        faults = Map.copyOf(faults);
    }

    /** Creates the truth of a run to which nobody but the lab did anything. */
    public Truth(
            int format,
            RunCase run,
            List<JsonNode> addedFaults,
            Map<String, FaultRecord> faults,
            @Nullable Unheld unheld) {
        this(format, run, addedFaults, faults, unheld, null);
    }

    /** Returns the same with what others did to the run. */
    public Truth disturbed(String itsByOthers) {
        return new Truth(format, run, addedFaults, faults, unheld, itsByOthers);
    }

    /** Returns whether the lab alone did what was done, so that its scenario does it again. */
    public boolean isOfLabAlone() {
        return addedFaults.isEmpty() && byOthers == null;
    }

    /** Returns the conditions that did not hold; empty if all held. */
    public Optional<Unheld> unheldConditions() {
        return Optional.ofNullable(unheld);
    }
}
