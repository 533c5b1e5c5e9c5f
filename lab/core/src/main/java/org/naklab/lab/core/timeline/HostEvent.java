package org.naklab.lab.core.timeline;

import org.jspecify.annotations.Nullable;

/** Reports what befell a process as a whole, or an instrument. */
public sealed interface HostEvent extends TimelineEvent {
    /**
     * The CPU quota of a process's cgroup was used up.
     *
     * @param cgroup path
     * @param throttledNs for how long within the interval
     */
    record Throttled(Interval interval, String process, String cgroup, long throttledNs) implements HostEvent {}

    /**
     * A process ended.
     *
     * @param how as its parent was told; null if nobody was told
     */
    record Ended(long timeNs, String process, @Nullable String how) implements HostEvent {}

    /** An instrument cannot see; a verdict that rests on it is unknown. The thread is that of the instrument, or empty. */
    record Blind(long timeNs, String process, String thread, String instrument, String reason) implements HostEvent {}

    /**
     * The lab itself did something to a process that it watches, which may have kept the process from running.
     *
     * @param act a verb and its object, such as {@code start JFR}
     */
    record Acted(Interval interval, String process, String act) implements HostEvent {}

    /** A timer of an otherwise idle thread was late. */
    record TimerLate(long timeNs, String process, String thread, long latenessNs) implements HostEvent {
        @Override
        public Interval interval() {
            return new Interval(timeNs, timeNs + latenessNs);
        }
    }

    /**
     * A gauge rose to its threshold.
     *
     * @param gauge name of its series
     * @param seenNs when it was seen
     */
    record GaugeRise(
            long timeNs, TimelineEventType type, String process, String gauge, long value, long threshold, long seenNs)
            implements HostEvent {}

    /** Some thread of the machine or of a control group waited for memory, for a share of the time. */
    record MemoryPressure(long timeNs, String process, String of, double share) implements HostEvent {}

    /** The memory control group hit its limit or reclaimed; {@code total}: since it was made. */
    record LimitHit(long timeNs, String process, long hits, long total, long usageBytes) implements HostEvent {}

    /**
     * The files that a service derives from its journal ended before the feed.
     *
     * @param eventsDerived that they have
     * @param reason in one line
     */
    record DerivedFilesLost(long timeNs, String process, long eventsDerived, String reason) implements HostEvent {}

    /**
     * The room that a process has for the page cache was narrowed.
     *
     * @param roomBytes what is left
     * @param ballastBytes what fills the rest
     * @param evicted whether the symbol tables have gone
     * @param filledAtNs when all memory was first in use, CLOCK_MONOTONIC; 0: unknown
     */
    record MemoryNarrowed(
            long timeNs, String process, long roomBytes, long ballastBytes, boolean evicted, long filledAtNs)
            implements HostEvent {}

    /**
     * Tells what a shortage of memory cost a process until the end of the flow.
     *
     * @param pressureMs for how long some thread of its group, or of the machine, waited for memory; -1: unknown
     */
    record MemoryAccounted(long timeNs, String process, Limit limit, Journal journal, double pressureMs)
            implements HostEvent {
        /**
         * Tells how the control group of the process was at its limit.
         *
         * @param lowestFreeBytes the least that was free of it
         * @param refaultedPages read again soon after they had been reclaimed
         */
        public record Limit(
                long limitBytes, long lowestFreeBytes, long limitHits, long refaultedPages, long majorFaults) {}

        /** Tells the length of the journal, and what of it is in the page cache. */
        public record Journal(long journalBytes, long journalCachedBytes) {}
    }

    /**
     * Tells what a process needed until the end of the flow.
     *
     * @param startMs until it was ready, from its start
     * @param cpuMs since then
     * @param memoryBytes resident, without pages of files on a disk
     */
    record ResourcesUsed(long timeNs, String process, long startMs, long cpuMs, long memoryBytes, long lockedBytes)
            implements HostEvent {}
}
