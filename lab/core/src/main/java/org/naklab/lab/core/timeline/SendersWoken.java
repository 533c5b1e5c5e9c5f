package org.naklab.lab.core.timeline;

import java.util.Map;

/**
 * The rate limiter had room again and woke the senders that it had refused.
 *
 * @param process name
 * @param thread of the context
 * @param blockedSends sends that it had refused since it woke senders before
 */
public record SendersWoken(long timeNs, String process, String thread, long blockedSends) implements TimelineEvent {
    @Override
    public TimelineEventType type() {
        return TimelineEventType.SENDERS_WOKEN;
    }

    @Override
    public Interval interval() {
        return new Interval(timeNs, timeNs);
    }

    @Override
    public Map<String, Object> details() {
        return Map.of("blockedSends", blockedSends);
    }

    /** Returns the event as what it is. */
    public static SendersWoken of(TimelineEvent event) {
        return event instanceof SendersWoken known ? known : read(event);
    }

    private static SendersWoken read(TimelineEvent event) {
        return new SendersWoken(event.timeNs(), event.process(), event.thread(), event.longDetail("blockedSends", 0));
    }
}
