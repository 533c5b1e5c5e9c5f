package org.naklab.lab.cases;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** Takes out of a timeline what the injector of faults itself has put there. */
public final class ObservedEvents {
    /** The word of the audit library, which delays the bind, on whether it did. */
    private static final String DELAYED = "delayed";

    private ObservedEvents() {}

    /**
     * Returns the events that something observed: not those of the lab's own acts, and binds without the word of the library that delays them.
     *
     * @param timeline of a run
     */
    public static List<TimelineEvent> of(List<TimelineEvent> timeline) {
        return timeline.stream()
                .filter(event -> event.type() != TimelineEventType.MEMORY_NARROWED)
                .map(event -> event.detail(DELAYED) == null ? event : withoutWord(event))
                .toList();
    }

    private static TimelineEvent withoutWord(TimelineEvent event) {
        Map<String, Object> details = new HashMap<>(event.details());
        details.remove(DELAYED);
        return TimelineEvent.of(event.timeNs(), event.type(), event.process(), event.thread(), details);
    }
}
