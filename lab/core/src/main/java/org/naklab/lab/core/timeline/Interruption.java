package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;

/**
 * The figures of a thread during a stall, as its own process counted them. A figure that could not be measured is -1; one that nobody counted is null.
 *
 * @param majorFaults page faults that had to wait for the disk
 * @param processorWaitMs for how long it was runnable and had no processor
 * @param collectionMs for how long a collector stopped all threads
 * @param processorPressureMs for how long some thread of the machine waited for a processor
 * @param stolenMs for how long a hypervisor kept the processors
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Interruption(
        @Nullable Double durationMs,
        @Nullable Long majorFaults,
        @Nullable Double processorWaitMs,
        @Nullable Long collectionMs,
        @Nullable Double processorPressureMs,
        @Nullable Double stolenMs) {
    /** Figures of a stall that its own process did not count. */
    public static final Interruption UNKNOWN = new Interruption(null, null, null, null, null, null);

    /** Returns how long it was, ns; 0 if nobody counted that. */
    public long lengthNs() {
        return durationMs == null ? 0 : Math.round(durationMs * Units.NS_PER_MS);
    }
}
