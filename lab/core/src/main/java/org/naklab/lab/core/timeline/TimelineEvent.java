package org.naklab.lab.core.timeline;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Something happened.
 *
 * @param timeNs when, CLOCK_MONOTONIC; of something with a length, when it began
 * @param process name or pid of the process it happened in
 * @param thread name of the thread, empty when not of one thread
 * @param details figures and names, sorted by key; values are strings, booleans, integers or doubles
 */
public record TimelineEvent(
        long timeNs, TimelineEventType type, String process, String thread, Map<String, Object> details) {
    /** The process of what happens on the whole machine. */
    public static final String HOST = "host";

    private static final double NS_PER_MS = 1e6;
    private static final List<String> LENGTHS_NS = List.of("durationNs", "latenessNs", "delayNs");

    public TimelineEvent {
        Objects.requireNonNull(type);
        Objects.requireNonNull(process);
        Objects.requireNonNull(thread);
        details = Collections.unmodifiableMap(new TreeMap<>(details));
    }

    public static TimelineEvent of(long timeNs, TimelineEventType type, String process, Map<String, Object> details) {
        return new TimelineEvent(timeNs, type, process, "", details);
    }

    /**
     * Returns what the event covers; without a length, an instant. Most kinds stand at their begin and carry their length; those that
     * carry {@code beganNs} stand at their end.
     */
    public Interval interval() {
        long beganNs = longDetail("beganNs", Long.MIN_VALUE);
        if (beganNs != Long.MIN_VALUE) {
            return new Interval(beganNs, timeNs);
        }
        long lengthNs =
                LENGTHS_NS.stream().mapToLong(key -> longDetail(key, 0)).max().orElse(0);
        if (detail("durationMs") instanceof Number ms) {
            lengthNs = Math.max(lengthNs, (long) (ms.doubleValue() * NS_PER_MS));
        }
        return new Interval(timeNs, timeNs + lengthNs);
    }

    /** The detail as a number, or the default when it is absent or no number. */
    public long longDetail(String key, long absent) {
        return detail(key) instanceof Number number ? number.longValue() : absent;
    }

    /** Returns the detail as text; empty when it is absent. */
    public String textDetail(String key) {
        Object detail = detail(key);
        return detail == null ? "" : detail.toString();
    }

    /** Returns the length of something that has one, and 0 of what has none. */
    public long durationNs() {
        return detail("durationMs") instanceof Number durationMs
                ? longDetail("durationNs", Math.round(durationMs.doubleValue() * NS_PER_MS))
                : longDetail("durationNs", 0);
    }

    /** Returns when it ended. */
    public long endNs() {
        return timeNs + durationNs();
    }

    public @Nullable Object detail(String key) {
        return details.get(key);
    }
}
