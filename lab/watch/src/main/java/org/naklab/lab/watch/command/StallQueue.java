package org.naklab.lab.watch.command;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;

/** Keeps the stalls that were reported and not taken yet, up to a bound, and hands all events on. Thread-safe. */
final class StallQueue implements TimelineListener {
    private static final int MAX_STALLS = 10_000;

    private final TimelineListener next;
    private final Deque<TimelineEvent> stalls = new ArrayDeque<>();

    StallQueue(TimelineListener next) {
        this.next = next;
    }

    @Override
    public void onEvent(TimelineEvent event) {
        if (event.type() == TimelineEventType.STALL) {
            add(event);
        }
        next.onEvent(event);
    }

    private synchronized void add(TimelineEvent stall) {
        if (stalls.size() == MAX_STALLS) {
            stalls.removeFirst();
        }
        stalls.addLast(stall);
    }

    /** Removes and returns the stalls that were over at a time, whenever they began. */
    synchronized List<TimelineEvent> takeEndedBefore(long untilNs) {
        List<TimelineEvent> ended =
                stalls.stream().filter(stall -> untilNs - stall.endNs() >= 0).toList();
        stalls.removeAll(ended);
        return ended;
    }
}
