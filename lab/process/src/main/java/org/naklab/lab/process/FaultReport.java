package org.naklab.lab.process;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultProof;

/**
 * The result of a fault in a process.
 *
 * @param armed whether it has been armed at any time
 * @param proof its own word on whether it fired
 * @param left why something of it remains: it could not be undone, or was armed beyond its time; {@code null}: nothing does
 */
public record FaultReport(
        boolean armed,
        FaultProof proof,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String left) {
    /** Creates the report of a fault of which nothing remains. */
    public FaultReport(boolean armed, FaultProof proof) {
        this(armed, proof, null);
    }
}
