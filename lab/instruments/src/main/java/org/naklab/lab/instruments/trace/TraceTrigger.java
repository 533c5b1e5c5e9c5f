package org.naklab.lab.instruments.trace;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Decides which event stops the trace. While a stall or a rise of a socket goes on, the trace goes on as well, so that it contains all of it; but not
 * for longer than the rings can hold. Thread-safe.
 */
final class TraceTrigger {
    /** Rings of 4 MiB hold more than a second of a busy CPU. */
    static final long MAX_OPEN_NS = 500_000_000;

    private final Set<TimelineEventType> trips;
    private final Map<String, TimelineEvent> open = new HashMap<>();
    private long armedNs = Long.MAX_VALUE;

    /** @param trips events that matter; the beginning of a stall is known by itself */
    TraceTrigger(Set<TimelineEventType> trips) {
        this.trips = EnumSet.copyOf(trips);
    }

    /** Events before that time do not matter. */
    synchronized void armFrom(long timeNs) {
        armedNs = timeNs;
        open.clear();
    }

    /** Returns whether an event stops the trace. */
    synchronized boolean isTrip(TimelineEvent event) {
        if (event.timeNs() < armedNs) {
            return false;
        }
        switch (event.type()) {
            case STALL_BEGAN -> open.put(keyOf(event), event);
            case SOCKET_DEPTH_RISE -> {
                if (trips.contains(event.type())) {
                    open.put(keyOf(event), event);
                }
            }
            case STALL -> {
                open.remove(keyOf(event));
                return trips.contains(event.type());
            }
            case SOCKET_DRAINED -> {
                return open.remove(keyOf(event)) != null && open.isEmpty();
            }
            default -> {
                return trips.contains(event.type()) && open.isEmpty();
            }
        }
        return false;
    }

    /** Returns the event that has been going on for longer than the rings can hold; {@code null} if none has. */
    synchronized @Nullable TimelineEvent overdue(long nowNs) {
        return open.values().stream()
                .filter(event -> nowNs - event.timeNs() > MAX_OPEN_NS)
                .findFirst()
                .orElse(null);
    }

    private static String keyOf(TimelineEvent event) {
        return event.process() + '/' + (event instanceof SocketEvent ofSocket ? ofSocket.inode() : event.thread());
    }
}
