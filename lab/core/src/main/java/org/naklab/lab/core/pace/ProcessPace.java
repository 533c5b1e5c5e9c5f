package org.naklab.lab.core.pace;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells how far a process is.
 *
 * @param atNs when it was counted, CLOCK_MONOTONIC
 * @param passed events that have passed each stage since the process began; stages that it does not have are left out
 * @param latency of the events since the report before; {@code null}: it does not measure any
 */
public record ProcessPace(
        long atNs,
        String process,
        Map<Stage, Long> passed,
        @Nullable Latency latency) {
    /** A stage on the way of an event. */
    public enum Stage {
        /** The exchange has sent it. */
        SENT,
        /** The receipt thread has it. */
        RECEIVED,
        /** It is in the order books. */
        APPLIED,
        /** It is in the journal. */
        JOURNALED
    }

    /**
     * From when the events of an interval were due until they were in the order books, microseconds.
     *
     * @param count events; without any, the percentiles are 0
     */
    public record Latency(long count, double p50Us, double p99Us, double p999Us) {}

    public ProcessPace {
        passed = Map.copyOf(passed);
    }
}
