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
}
