package org.naklab.lab.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;

/**
 * Keeps the events of a watch for its diagnosis, up to a bound, and hands them on. When it is full, it drops the oldest events that no stall
 * and no loss needs. What is left then is to be taken in stretches, each of which is diagnosed by itself; otherwise the oldest of these is
 * dropped too, and the watch is blind for it. Thread-safe.
 */
public final class WatchTimeline implements TimelineListener {
    private static final int MAX_EVENTS = 200_000;

    /** The account of each stall takes time, in which the watch does nothing else. */
    private static final int MAX_STALLS = 500;

    /** The events so long before and after a stall or a loss are needed for its diagnosis. */
    private static final long MARGIN_NS = TimeUnit.SECONDS.toNanos(2);

    /** Events that are needed wherever they are. */
    private static final Set<TimelineEventType> NEEDED = EnumSet.of(
            TimelineEventType.STALL,
            TimelineEventType.DATAGRAMS_DROPPED,
            TimelineEventType.NAK_SENT,
            TimelineEventType.REPAIRED,
            TimelineEventType.SOCKET_DRAINED,
            TimelineEventType.SOCKET_OPENED,
            TimelineEventType.FEED_SILENT,
            TimelineEventType.FOREIGN_DATAGRAMS,
            TimelineEventType.MEMBERSHIP_LOST,
            TimelineEventType.PORT_SHARED,
            TimelineEventType.DATAGRAMS_TAKEN,
            TimelineEventType.PLACE_OBSERVED,
            TimelineEventType.KERNEL_RECORDED,
            TimelineEventType.UDP_COUNTED,
            TimelineEventType.CORE_SHARED,
            TimelineEventType.LAB_ACTED,
            TimelineEventType.PROCESS_ENDED,
            TimelineEventType.INSTRUMENT_BLIND);

    /** Events of these types make those around them needed. */
    private static final Set<TimelineEventType> INCIDENTS =
            EnumSet.of(TimelineEventType.STALL, TimelineEventType.DATAGRAMS_DROPPED, TimelineEventType.NAK_SENT);

    /** Events that hold until the end of the watch: every stretch has them. */
    private static final Set<TimelineEventType> LASTING = EnumSet.of(
            TimelineEventType.SOCKET_OPENED,
            TimelineEventType.PORT_SHARED,
            TimelineEventType.LAB_ACTED,
            TimelineEventType.PROCESS_ENDED,
            TimelineEventType.INSTRUMENT_BLIND);

    /** A counter of datagrams for ports that nobody has opened. */
    private static final String NO_PORT = "NoPorts";

    private final TimelineListener next;
    private final int maxEvents;
    /** In the order of their arrival. */
    private Deque<TimelineEvent> events = new ArrayDeque<>();

    private final Set<TimelineEventType> types = EnumSet.noneOf(TimelineEventType.class);
    private final Set<Integer> ports = new HashSet<>();
    private final Map<TimelineEventType, Long> unneeded = new EnumMap<>(TimelineEventType.class);
    private long needed;
    private int stalls;

    /** @param next receives each event after it was kept */
    public WatchTimeline(TimelineListener next) {
        this(next, MAX_EVENTS);
    }

    WatchTimeline(TimelineListener next, int maxEvents) {
        this.next = next;
        this.maxEvents = maxEvents;
    }

    @Override
    public void onEvent(TimelineEvent event) {
        synchronized (this) {
            types.add(event.type());
            if (event instanceof SocketEvent.Opened opened) {
                ports.add(opened.port());
            }
            events.addLast(event);
            if (event.type() == TimelineEventType.STALL) {
                stalls++;
            }
            if (events.size() > maxEvents) {
                makeRoom();
            }
        }
        next.onEvent(event);
    }

    /** Frees at least an eighth of the room, so that this is seldom done. */
    private void makeRoom() {
        dropUnneeded();
        while (events.size() > maxEvents - maxEvents / 8) {
            events.removeFirst();
            needed++;
        }
    }

    /** Drops unneeded events of the older half. What has just arrived may belong to a stall that is not over yet. */
    private void dropUnneeded() {
        NavigableMap<Long, Long> incidents = incidents();
        Deque<TimelineEvent> kept = new ArrayDeque<>(maxEvents + 1);
        int index = 0;
        for (TimelineEvent event : events) {
            boolean isOld = index++ < maxEvents / 2;
            if (isOld && !isNeeded(event) && !isIn(incidents, event.interval())) {
                unneeded.merge(event.type(), 1L, Long::sum);
            } else {
                kept.addLast(event);
            }
        }
        events = kept;
    }

    /** Returns the times around stalls and losses, from their begins to their ends. */
    private NavigableMap<Long, Long> incidents() {
        NavigableMap<Long, Long> times = new TreeMap<>();
        List<Interval> intervals = events.stream()
                .filter(event -> INCIDENTS.contains(event.type()))
                .map(TimelineEvent::interval)
                .map(each -> new Interval(each.beginNs() - MARGIN_NS, each.endNs() + MARGIN_NS))
                .toList();
        Interval.union(intervals).forEach(each -> times.put(each.beginNs(), each.endNs()));
        return times;
    }

    private static boolean isIn(NavigableMap<Long, Long> incidents, Interval interval) {
        Map.Entry<Long, Long> last = incidents.floorEntry(interval.endNs());
        return last != null && last.getValue() >= interval.beginNs();
    }

    private boolean isNeeded(TimelineEvent event) {
        if (event instanceof DatagramEvent.Discarded discarded) {
            return ports.contains(discarded.port()) || discarded.packet().isFragment();
        }
        return event instanceof DatagramEvent.ErrorsCounted errors
                ? !errors.counter().equals(NO_PORT)
                : NEEDED.contains(event.type());
    }

    /** Returns whether so many events, or stalls, are kept that the older ones should be taken as a stretch. */
    public synchronized boolean isFull() {
        return events.size() > maxEvents / 4 * 3 || stalls > MAX_STALLS;
    }

    /**
     * Removes the events that were over at a time, and returns them by time, with those that hold until the end of the watch; the latter stay.
     *
     * @param untilNs CLOCK_MONOTONIC, ns
     */
    public synchronized List<TimelineEvent> takeUntil(long untilNs) {
        List<TimelineEvent> taken = new ArrayList<>();
        for (Iterator<TimelineEvent> all = events.iterator(); all.hasNext(); ) {
            TimelineEvent event = all.next();
            boolean isLasting = LASTING.contains(event.type());
            if (isLasting || event.interval().endNs() - untilNs < 0) {
                taken.add(event);
            }
            if (!isLasting && event.interval().endNs() - untilNs < 0) {
                all.remove();
            }
        }
        stalls = (int) events.stream()
                .filter(event -> event.type() == TimelineEventType.STALL)
                .count();
        return sorted(taken.stream());
    }

    private static List<TimelineEvent> sorted(Stream<TimelineEvent> some) {
        return some.sorted(Comparator.comparingLong(TimelineEvent::timeNs)).toList();
    }

    /** Returns the events by time. */
    public synchronized List<TimelineEvent> events() {
        return sorted(events.stream());
    }

    /** Returns the events of which a part is in an interval, by time, and those that hold until the end of the watch. */
    public synchronized List<TimelineEvent> in(Interval interval) {
        return sorted(events.stream()
                .filter(event -> interval.overlaps(event.interval())
                        || interval.contains(event.timeNs())
                        || (LASTING.contains(event.type()) && event.timeNs() <= interval.endNs())));
    }

    /** Returns the events of a type by time. */
    public synchronized List<TimelineEvent> of(TimelineEventType type) {
        return types.contains(type) ? sorted(events.stream().filter(event -> event.type() == type)) : List.of();
    }

    /** Returns true if there was an event of a type. */
    public synchronized boolean has(TimelineEventType type) {
        return types.contains(type);
    }

    /** Returns in one line which events were dropped because no stall and no loss needs them; empty if none were. */
    public synchronized Optional<String> dropped() {
        if (unneeded.isEmpty()) {
            return Optional.empty();
        }
        List<String> counts = unneeded.entrySet().stream()
                .map(entry -> Format.count(entry.getValue()) + " "
                        + entry.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .toList();
        return Optional.of("events that no stall and no loss needs were not kept: " + String.join(", ", counts));
    }

    /**
     * Returns what a diagnosis of some of the events cannot see, each one line. An instrument that fails when its process ends is not blind.
     *
     * @param diagnosed of this timeline
     */
    public synchronized List<String> blind(List<TimelineEvent> diagnosed) {
        List<String> blind = new ArrayList<>();
        if (needed > 0) {
            blind.add(Format.count(needed) + " events of stalls and losses were not kept: there were more than "
                    + Format.count(maxEvents) + " at a time");
        }
        if (has(TimelineEventType.PROCESS_ENDED)
                || diagnosed.stream().anyMatch(event -> event.type() == TimelineEventType.PROCESS_ENDED)) {
            return blind;
        }
        diagnosed.stream()
                .flatMap(TimelineEvent.only(HostEvent.Blind.class))
                .forEach(event -> blind.add(event.reason()));
        return blind;
    }
}
