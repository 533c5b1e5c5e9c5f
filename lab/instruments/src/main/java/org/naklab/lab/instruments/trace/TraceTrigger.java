package org.naklab.lab.instruments.trace;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Decides which event may stop the trace, and how bad its incident was. While a stall or a rise of a socket goes on, the trace goes on as well, so that it contains all of
 * it; but not for longer than the rings can hold. Thread-safe.
 */
final class TraceTrigger {
    /** Rings of 4 MiB hold more than a second of a busy CPU. */
    static final long MAX_OPEN_NS = 500_000_000;

    private final Set<TimelineEventType> trips;
    private final Map<String, TimelineEvent> open = new HashMap<>();
    /** Stalls and rises that the trace was stopped for before their end. */
    private final Set<String> cut = new HashSet<>();
    /** Datagrams that sockets dropped while something was open, by process. */
    private final Map<String, Long> lost = new HashMap<>();

    private long armedNs = Long.MAX_VALUE;

    /**
     * Tells how bad an incident was: lost datagrams count first, as they do in the diagnosis.
     *
     * @param lost datagrams that the sockets of the process dropped meanwhile
     * @param lengthNs of the stall; 0 if there was none
     */
    record Harm(long lost, long lengthNs) {
        private static final Comparator<Harm> ORDER =
                Comparator.comparingLong(Harm::lost).thenComparingLong(Harm::lengthNs);

        boolean isWorseThan(Harm other) {
            return ORDER.compare(this, other) > 0;
        }

        /** Returns the harm of both, of which the drops may be told in several parts. */
        Harm and(Harm other) {
            return new Harm(lost + other.lost, Math.max(lengthNs, other.lengthNs));
        }
    }

    /**
     * An incident.
     *
     * @param event that ended it, or its beginning if it goes on
     * @param wasCut whether the trace was asked to stop for it before, when it had gone on for too long
     */
    record Trip(TimelineEvent event, Harm harm, boolean wasCut) {}

    /** @param trips events that matter; the beginning of a stall is known by itself */
    TraceTrigger(Set<TimelineEventType> trips) {
        this.trips = EnumSet.copyOf(trips);
    }

    /** Events before that time do not matter. */
    synchronized void armFrom(long timeNs) {
        armedNs = timeNs;
        open.clear();
        cut.clear();
        lost.clear();
    }

    /** Returns the incident that an event ends; {@code null} if it ends none that matters. */
    synchronized @Nullable Trip trip(TimelineEvent event) {
        if (event.timeNs() < armedNs) {
            return null;
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
                return trips.contains(event.type()) ? trip(event, event.durationNs()) : null;
            }
            case SOCKET_DRAINED -> {
                boolean isKnown = open.remove(keyOf(event)) != null || cut.contains(keyOf(event));
                return isKnown && open.isEmpty() ? trip(event, 0) : null;
            }
            default -> {
                countLoss(event);
                return trips.contains(event.type()) && open.isEmpty() ? trip(event, 0) : null;
            }
        }
        return null;
    }

    private void countLoss(TimelineEvent event) {
        if (event.type() == TimelineEventType.DATAGRAMS_DROPPED) {
            lost.merge(event.process(), event.amount(), Long::sum);
        }
    }

    private Trip trip(TimelineEvent event, long lengthNs) {
        Long dropped = lost.remove(event.process());
        return new Trip(event, new Harm(dropped == null ? 0 : dropped, lengthNs), cut.remove(keyOf(event)));
    }

    /** Returns what has been going on for longer than the rings can hold, once; {@code null} if nothing has. */
    synchronized @Nullable Trip overdue(long nowNs) {
        for (Map.Entry<String, TimelineEvent> each : open.entrySet()) {
            TimelineEvent event = each.getValue();
            if (nowNs - event.timeNs() > MAX_OPEN_NS) {
                open.remove(each.getKey());
                cut.add(each.getKey());
                boolean isStall = event.type() == TimelineEventType.STALL_BEGAN;
                long dropped = lost.getOrDefault(event.process(), 0L);
                return new Trip(event, new Harm(dropped, isStall ? nowNs - event.timeNs() : 0), false);
            }
        }
        return null;
    }

    private static String keyOf(TimelineEvent event) {
        return event.process() + '/' + (event instanceof SocketEvent ofSocket ? ofSocket.inode() : event.thread());
    }
}
