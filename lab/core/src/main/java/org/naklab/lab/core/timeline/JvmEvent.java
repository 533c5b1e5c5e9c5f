package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** Reports a time in which a JVM stopped its threads, or what a collection of garbage cost. The thread is empty: all threads stop. */
public sealed interface JvmEvent extends TimelineEvent {
    /**
     * One time in which a JVM stopped its threads.
     *
     * @param process name or pid
     * @param toSafepointNs how long it took until the last thread had stopped, ns
     * @param operation for which they stopped; empty if unknown
     * @param caller name of the thread that requested it; empty if unknown
     */
    record Safepoint(
            String process,
            String thread,
            Interval interval,
            long toSafepointNs,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String operation,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String caller)
            implements JvmEvent {
        /** Returns the part until the last thread had stopped. */
        public Interval way() {
            return new Interval(interval.beginNs(), interval.beginNs() + toSafepointNs);
        }
    }

    /**
     * The pauses of one collection of garbage.
     *
     * @param process name or pid
     * @param collector its name; empty if unknown
     * @param cause why it collected; empty if unknown
     * @param gcId number of the collection; null if unknown
     */
    record GcPause(
            String process,
            String thread,
            Interval interval,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String collector,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String cause,
            @Nullable Long gcId)
            implements JvmEvent {
        /**
         * The CPU time of a collection of garbage, by the JVM's own account.
         *
         * @param gcId number of the collection
         * @param cpuNs of all threads of the collector together, ns
         */
        public record CpuTime(long timeNs, String process, String thread, long gcId, long cpuNs) implements JvmEvent {}
    }
}
