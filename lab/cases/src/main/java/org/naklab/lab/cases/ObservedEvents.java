package org.naklab.lab.cases;

import java.util.List;
import org.naklab.lab.core.timeline.ThreadEvent.SymbolBound;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** Takes out of a timeline what the injector of faults itself has put there. */
public final class ObservedEvents {
    private ObservedEvents() {}

    /**
     * Returns the events that something observed: not those of the lab's own acts, and binds without the word of the library that delays them.
     *
     * @param timeline of a run
     */
    public static List<TimelineEvent> of(List<TimelineEvent> timeline) {
        return timeline.stream()
                .filter(event -> event.type() != TimelineEventType.MEMORY_NARROWED)
                .map(event -> event instanceof SymbolBound bound ? bound.withoutDelay() : event)
                .toList();
    }
}
