package org.naklab.lab.records;

import java.util.List;

/**
 * An entry of {@code fault-stacks.json}: the stack of a major fault.
 *
 * @param timeNs CLOCK_MONOTONIC, of the end of the wait
 * @param tid thread
 * @param frames innermost first
 */
public record FaultStackRecord(long timeNs, int tid, List<String> frames) {
    /** Name of the file in a run's directory. */
    public static final String NAME = "fault-stacks.json";

    public FaultStackRecord {
        frames = Absent.orNone(frames);
    }
}
