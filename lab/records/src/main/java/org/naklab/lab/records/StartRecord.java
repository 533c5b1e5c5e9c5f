package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * {@code started.json}: what is known before a run begins.
 *
 * @param startedUtc ISO 8601 with milliseconds
 * @param replay the command that runs it again
 * @param arguments of the command line, without credentials
 */
public record StartRecord(
        @JsonUnwrapped RunCase runCase,
        String runDirectory,
        String startedUtc,
        PlanRecord plan,
        String replay,
        EnvironmentRecord environment,
        List<String> arguments) {
    public StartRecord {
        arguments = Absent.orNone(arguments);
    }
}
