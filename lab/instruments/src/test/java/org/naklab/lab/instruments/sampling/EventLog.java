package org.naklab.lab.instruments.sampling;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;

/** Records events as values. */
public final class EventLog implements TimelineListener {
    private final List<TimelineEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(TimelineEvent event) {
        events.add(event);
    }

    public List<TimelineEvent> all() {
        return events;
    }

    public List<TimelineEvent> of(TimelineEventType type) {
        return events.stream().filter(event -> event.type() == type).toList();
    }

    public List<TimelineEventType> types() {
        return events.stream().map(TimelineEvent::type).toList();
    }
}
