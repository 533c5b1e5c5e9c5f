package org.naklab.lab.scenarios.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultSpec;

/**
 * A line from a command to a run.
 *
 * @param fault to inject; {@code null} in other requests
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ControlRequest(Word word, @Nullable FaultSpec fault) {
    /** Tells what is asked for. */
    enum Word {
        DESCRIBE,
        INJECT,
        /** Removes what users have added; while a fault is followed, that fault. */
        REMOVE
    }
}
