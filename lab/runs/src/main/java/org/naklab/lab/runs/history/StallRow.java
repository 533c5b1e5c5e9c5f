package org.naklab.lab.runs.history;

import org.jspecify.annotations.Nullable;

/**
 * A stall of a run.
 *
 * @param beganEpochNs since 1970; {@code null}: the run kept no wall clock
 * @param majorFaults of that thread meanwhile; -1 where the machine does not tell
 */
public record StallRow(
        String process,
        String thread,
        @Nullable Long beganEpochNs,
        double durationMs,
        long majorFaults,
        String cause) {}
