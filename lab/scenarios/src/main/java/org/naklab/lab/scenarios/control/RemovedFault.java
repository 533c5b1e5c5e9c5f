package org.naklab.lab.scenarios.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultProof;

/**
 * A fault of a run that was removed before its end.
 *
 * @param process that it was on
 * @param proof {@code null} if there is none
 * @param problem why it may not be undone; {@code null}: it is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RemovedFault(
        String id,
        String kind,
        String process,
        @Nullable FaultProof proof,
        @Nullable String problem) {}
