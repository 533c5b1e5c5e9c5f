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
public record MemoryReclaim(String process, String thread, Interval interval, long reclaimNs) {
    /** Returns it as an event of the timeline. */
    public TimelineEvent toEvent() {
        return new TimelineEvent(
                interval.beginNs(),
                TimelineEventType.MEMORY_RECLAIMED,
                process,
                thread,
                Map.of("durationNs", interval.lengthNs(), "reclaimNs", reclaimNs));
    }

    /**
     * Reads an event of the timeline.
     *
     * @param event a {@link TimelineEventType#MEMORY_RECLAIMED}
     */
    public static MemoryReclaim of(TimelineEvent event) {
        return new MemoryReclaim(event.process(), event.thread(), event.interval(), event.longDetail("reclaimNs", 0));
    }
}
