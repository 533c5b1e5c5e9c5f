package org.naklab.lab.scenarios.runner;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.scenarios.evidence.KeptTimeline;
import org.naklab.lab.scenarios.evidence.Unkept;

/**
 * The events of a run on one clock: written to {@code timeline.jsonl} as they occur, and kept for the diagnosis, up to a bound.
 * Thread-safe.
 */
final class RunTimeline implements TimelineListener, AutoCloseable {
    private static final int MAX_EVENTS = 100_000;

    private final KeptTimeline writer;
    private final Unkept unkept;
    private final StallParts parts = new StallParts();
    private final List<TimelineEvent> events = new ArrayList<>();
    private final List<TimelineListener> listeners = new CopyOnWriteArrayList<>();

    RunTimeline(Path file, Unkept unkept) {
        writer = new KeptTimeline(file, unkept);
        this.unkept = unkept;
    }

    /** Registers a listener for all further events of the timeline, on the thread that adds them. */
    void addListener(TimelineListener listener) {
        listeners.add(listener);
    }

    /** An instrument's. Stalls are the replica's own to tell: it knows what its threads waited for meanwhile. */
    @Override
    public void onEvent(TimelineEvent event) {
        if (event.type() != TimelineEventType.STALL) {
            add(event);
        }
    }

    /** Takes what belongs on the timeline of what a child reports. */
    void accept(String process, ProcessEvent event) {
        if (event instanceof ProcessEvent.OnTimeline noted) {
            add(noted.of(process));
        }
    }

    private synchronized void add(TimelineEvent event) {
        parts.take(event).forEach(this::keep);
    }

    private void keep(TimelineEvent event) {
        writer.onEvent(event);
        if (events.size() < MAX_EVENTS) {
            events.add(event);
        } else {
            unkept.add("the diagnosis uses only the first " + Format.count(MAX_EVENTS) + " events of the timeline");
        }
        listeners.forEach(listener -> listener.onEvent(event));
    }

    /** Returns the events by time. */
    synchronized List<TimelineEvent> events() {
        return events.stream()
                .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                .toList();
    }

    @Override
    public void close() {
        writer.close();
    }
}
