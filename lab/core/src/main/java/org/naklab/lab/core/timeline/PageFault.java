package org.naklab.lab.core.timeline;

import java.util.Map;

/**
 * One page fault of a thread, from the exception until the page was there.
 *
 * @param process name or pid
 * @param thread name
 * @param isMajor whether the kernel had to wait for the page
 * @param place file and section of the page, such as {@code libc.so.6 .gnu.hash}; empty if unknown
 * @param code file and section of the instruction that touched the page; empty if unknown
 */
public record PageFault(String process, String thread, Interval interval, boolean isMajor, String place, String code)
        implements TimelineEvent {
    @Override
    public TimelineEventType type() {
        return TimelineEventType.PAGE_FAULT;
    }

    @Override
    public long timeNs() {
        return interval.beginNs();
    }

    @Override
    public Map<String, Object> details() {
        return Map.of("durationNs", interval.lengthNs(), "major", isMajor, "place", place, "code", code);
    }

    /** Returns the event as what it is. */
    public static PageFault of(TimelineEvent event) {
        return event instanceof PageFault known ? known : read(event);
    }

    private static PageFault read(TimelineEvent event) {
        return new PageFault(
                event.process(),
                event.thread(),
                event.interval(),
                Boolean.TRUE.equals(event.detail("major")),
                event.textDetail("place"),
                event.textDetail("code"));
    }
}
