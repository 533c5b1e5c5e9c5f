package org.naklab.lab.core.timeline;

import java.util.Map;
import java.util.TreeMap;

/**
 * The pauses of one collection of garbage.
 *
 * @param process name or pid
 * @param thread empty: all threads stop
 * @param collector its name; empty if unknown
 * @param cause why it collected; empty if unknown
 * @param gcId number of the collection; -1 if unknown
 */
public record GcPause(String process, String thread, Interval interval, String collector, String cause, long gcId)
        implements TimelineEvent {
    @Override
    public TimelineEventType type() {
        return TimelineEventType.GC_PAUSE;
    }

    @Override
    public long timeNs() {
        return interval.beginNs();
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new TreeMap<>(Map.of("durationNs", interval.lengthNs()));
        if (!collector.isEmpty()) {
            details.put("collector", collector);
        }
        if (!cause.isEmpty()) {
            details.put("cause", cause);
        }
        if (gcId >= 0) {
            details.put("gcId", gcId);
        }
        return details;
    }

    /** Returns the event as what it is. */
    public static GcPause of(TimelineEvent event) {
        return event instanceof GcPause known ? known : read(event);
    }

    private static GcPause read(TimelineEvent event) {
        return new GcPause(
                event.process(),
                event.thread(),
                event.interval(),
                event.textDetail("collector"),
                event.textDetail("cause"),
                event.longDetail("gcId", -1));
    }

    /**
     * The CPU time of a collection of garbage, by the JVM's own account.
     *
     * @param process name or pid
     * @param thread empty: all threads of the collector together
     * @param gcId number of the collection; -1 if unknown
     * @param cpuNs of all its threads together, ns
     */
    public record CpuTime(long timeNs, String process, String thread, long gcId, long cpuNs) implements TimelineEvent {
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
        public static CpuTime of(TimelineEvent event) {
            return event instanceof CpuTime known ? known : read(event);
        }

        private static CpuTime read(TimelineEvent event) {
            return new CpuTime(
                    event.timeNs(),
                    event.process(),
                    event.thread(),
                    event.longDetail("gcId", -1),
                    event.longDetail("cpuNs", 0));
        }
    }
}
