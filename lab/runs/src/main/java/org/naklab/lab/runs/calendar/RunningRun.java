package org.naklab.lab.runs.calendar;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.naklab.lab.records.RunCase;

/**
 * A run that goes on.
 *
 * @param startedUtc ISO 8601 with milliseconds
 */
public record RunningRun(@JsonUnwrapped RunCase runCase, String startedUtc) {}
