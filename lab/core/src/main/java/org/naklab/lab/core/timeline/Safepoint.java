package org.naklab.lab.core.timeline;

import java.util.Map;
import java.util.TreeMap;

/**
 * One time in which a JVM stopped its threads.
 *
 * @param process name or pid
 * @param thread empty: all threads stop
 * @param toSafepointNs how long it took until the last thread had stopped, ns
 * @param operation for which they stopped; empty if unknown
 * @param caller name of the thread that requested it; empty if unknown
 */
public record Safepoint(
        String process, String thread, Interval interval, long toSafepointNs, String operation, String caller)
        implements TimelineEvent {
    /** Returns the part until the last thread had stopped. */
    public Interval way() {
        return new Interval(interval.beginNs(), interval.beginNs() + toSafepointNs);
    }

    @Override
    public TimelineEventType type() {
        return TimelineEventType.SAFEPOINT;
    }

    @Override
    public long timeNs() {
        return interval.beginNs();
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details =
                new TreeMap<>(Map.of("durationNs", interval.lengthNs(), "toSafepointNs", toSafepointNs));
        if (!operation.isEmpty()) {
            details.put("operation", operation);
        }
        if (!caller.isEmpty()) {
            details.put("caller", caller);
        }
        return details;
    }

    /** Returns the event as what it is. */
    public static Safepoint of(TimelineEvent event) {
        return event instanceof Safepoint known ? known : read(event);
    }

    private static Safepoint read(TimelineEvent event) {
        return new Safepoint(
                event.process(),
                event.thread(),
                event.interval(),
                event.longDetail("toSafepointNs", 0),
                event.textDetail("operation"),
                event.textDetail("caller"));
    }
}
