package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;

/** Keeps the events of a watch for its diagnosis, up to a bound, and hands them on. Thread-safe. */
public final class WatchTimeline implements TimelineListener {
    private static final int MAX_EVENTS = 200_000;

    private final TimelineListener next;
    private final List<TimelineEvent> events = new ArrayList<>();
    private final Set<TimelineEventType> types = EnumSet.noneOf(TimelineEventType.class);
    private boolean isCut;

    /** @param next receives each event after it was kept */
    public WatchTimeline(TimelineListener next) {
        this.next = next;
    }

    @Override
    public void onEvent(TimelineEvent event) {
        synchronized (this) {
            types.add(event.type());
            if (events.size() < MAX_EVENTS) {
                events.add(event);
            } else {
                isCut = true;
            }
        }
        next.onEvent(event);
    }

    /** Returns the events by time. */
    public synchronized List<TimelineEvent> events() {
        return events.stream()
                .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                .toList();
    }

    /** Returns the events of a type by time. */
    public synchronized List<TimelineEvent> of(TimelineEventType type) {
        return types.contains(type)
                ? events().stream().filter(event -> event.type() == type).toList()
                : List.of();
    }

    /** Returns true if there was an event of a type. */
    public synchronized boolean has(TimelineEventType type) {
        return types.contains(type);
    }

    /**
     * Returns what a diagnosis of some of the events cannot see, each one line. An instrument that fails when its process ends is not blind.
     *
     * @param diagnosed of this timeline
     */
    public List<String> blind(List<TimelineEvent> diagnosed) {
        List<String> blind = new ArrayList<>();
        if (has(TimelineEventType.PROCESS_ENDED)
                || diagnosed.stream().anyMatch(event -> event.type() == TimelineEventType.PROCESS_ENDED)) {
            return blind;
        }
        diagnosed.stream()
                .filter(event -> event.type() == TimelineEventType.INSTRUMENT_BLIND)
                .forEach(event -> blind.add(event.textDetail("reason")));
        synchronized (this) {
            if (isCut) {
                blind.add("more events than are kept for the diagnosis");
            }
        }
        return blind;
    }
}
