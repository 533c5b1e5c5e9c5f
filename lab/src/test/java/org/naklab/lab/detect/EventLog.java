package org.naklab.lab.detect;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records events as values. */
final class EventLog implements TimelineListener {
    private final List<TimelineEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(TimelineEvent event) {
        events.add(event);
    }

    List<TimelineEvent> all() {
        return events;
    }

    List<TimelineEvent> of(TimelineEventType type) {
        return events.stream().filter(event -> event.type() == type).toList();
    }

    List<TimelineEventType> types() {
        return events.stream().map(TimelineEvent::type).toList();
    }
}
