package org.naklab.lab.records.memory;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Objects;
import org.naklab.lab.core.Units;

/**
 * {@code memory} in {@code run.json}: when pages began to be evicted, and how long after that each stall began.
 *
 * @param evictionBeganNs on the clock of the timeline
 * @param stalls of the run, in their order
 */
@JsonPropertyOrder({"evictionBeganNs", "stalls"})
public record EvictionRecord(long evictionBeganNs, List<Since> stalls) {
    /**
     * A stall of the run.
     *
     * @param atNs when it began, as in {@code stalls}
     * @param secondsSinceEviction negative: it began before the eviction
     */
    public record Since(String process, String thread, long atNs, double secondsSinceEviction) {
        public Since {
            process = Objects.requireNonNullElse(process, "");
            thread = Objects.requireNonNullElse(thread, "");
        }

        /** Creates one of a stall that began then, on the clock of the timeline. */
        public static Since of(String process, String thread, long atNs, long evictionBeganNs) {
            return new Since(process, thread, atNs, secondsBetween(evictionBeganNs, atNs));
        }
    }

    public EvictionRecord {
        stalls = stalls == null ? List.of() : List.copyOf(stalls);
    }

    /** Returns the seconds from the begin of the eviction to another time; negative: that is before it. */
    public static double secondsBetween(long evictionBeganNs, long atNs) {
        return (atNs - evictionBeganNs) / Units.NS_PER_S;
    }
}
