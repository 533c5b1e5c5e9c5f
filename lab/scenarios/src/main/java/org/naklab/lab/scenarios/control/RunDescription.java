package org.naklab.lab.scenarios.control;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A run that is under way.
 *
 * @param runDirectory where it leaves its evidence, an absolute path
 * @param processes their ids on this machine by their names; 0 of a process in a container
 */
public record RunDescription(String scenario, String runDirectory, Map<String, Long> processes) {
    public RunDescription {
        processes = Collections.unmodifiableMap(new LinkedHashMap<>(processes));
    }
}
