package org.naklab.lab.core.timeline;

import java.util.Map;

/**
 * The CPU time of a collection of garbage, by the JVM's own account.
 *
 * @param process name or pid
 * @param thread empty: all threads of the collector together
 * @param gcId number of the collection; -1 if unknown
 * @param cpuNs of all its threads together, ns
 */
public record GcCpuTime(long timeNs, String process, String thread, long gcId, long cpuNs) implements TimelineEvent {
    @Override
    public TimelineEventType type() {
        return TimelineEventType.GC_CPU_TIME;
    }

    @Override
    public Interval interval() {
        return new Interval(timeNs, timeNs);
    }

    @Override
    public Map<String, Object> details() {
        return Map.of("gcId", gcId, "cpuNs", cpuNs);
    }

    /** Returns the event as what it is. */
    public static GcCpuTime of(TimelineEvent event) {
        return event instanceof GcCpuTime known ? known : read(event);
    }

    private static GcCpuTime read(TimelineEvent event) {
        return new GcCpuTime(
                event.timeNs(),
                event.process(),
                event.thread(),
                event.longDetail("gcId", -1),
                event.longDetail("cpuNs", 0));
    }
}
