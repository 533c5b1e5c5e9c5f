package org.naklab.lab.core.timeline;

import java.util.Map;

/**
 * One time in which a thread reclaimed memory before it got a page.
 *
 * @param process name or pid
 * @param thread name
 * @param interval from the first of several times that follow each other soon to the last
 * @param reclaimNs how long it reclaimed in between, on a CPU or waiting, ns
 */
public record MemoryReclaim(String process, String thread, Interval interval, long reclaimNs) implements TimelineEvent {
    @Override
    public TimelineEventType type() {
        return TimelineEventType.MEMORY_RECLAIMED;
    }

    @Override
    public long timeNs() {
        return interval.beginNs();
    }

    @Override
    public Map<String, Object> details() {
        return Map.of("durationNs", interval.lengthNs(), "reclaimNs", reclaimNs);
    }

    /** Returns the event as what it is. */
    public static MemoryReclaim of(TimelineEvent event) {
        return event instanceof MemoryReclaim known ? known : read(event);
    }

    private static MemoryReclaim read(TimelineEvent event) {
        return new MemoryReclaim(event.process(), event.thread(), event.interval(), event.longDetail("reclaimNs", 0));
    }
}
