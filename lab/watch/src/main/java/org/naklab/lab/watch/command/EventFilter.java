package org.naklab.lab.watch.command;

import static org.naklab.lab.core.timeline.TimelineEventType.CORE_SHARED;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_STACK;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.LAB_ACTED;
import static org.naklab.lab.core.timeline.TimelineEventType.MAJOR_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.MEMORY_RECLAIMED;
import static org.naklab.lab.core.timeline.TimelineEventType.PAGE_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.PLACE_OBSERVED;
import static org.naklab.lab.core.timeline.TimelineEventType.RUN_QUEUE_DELAY;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_UNREAD;
import static org.naklab.lab.core.timeline.TimelineEventType.SUBSCRIPTION_UNPOLLED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_BUSY;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_CONTINUED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_INTERRUPTED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SAMPLED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SLEPT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_STOPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_WAITED;
import static org.naklab.lab.core.timeline.TimelineEventType.UDP_COUNTED;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DatagramEvent.Discarded;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** Chooses the events that people are shown: not those of threads that receive nothing, of ports of others, and those of which a stall's account is made. */
final class EventFilter {
    private static final Set<TimelineEventType> PARTS = EnumSet.of(
            SOCKET_UNREAD,
            SUBSCRIPTION_UNPOLLED,
            THREAD_ABSENT,
            PAGE_FAULT,
            KERNEL_RECORDED,
            UDP_COUNTED,
            PLACE_OBSERVED,
            THREAD_SLEPT,
            THREAD_BUSY,
            THREAD_WAITED,
            THREAD_SAMPLED,
            MEMORY_RECLAIMED,
            THREAD_INTERRUPTED,
            CORE_SHARED,
            JAVA_STACK,
            LAB_ACTED);

    private static final Set<TimelineEventType> OF_THREADS =
            EnumSet.of(RUN_QUEUE_DELAY, MAJOR_FAULT, THREAD_STOPPED, THREAD_CONTINUED);

    /** Datagrams for ports that nobody has opened, and those that the sockets count themselves. */
    private static final Set<String> COUNTERS_OF_OTHERS = Set.of("NoPorts", "RcvbufErrors");

    private final boolean isVerbose;
    private final Map<String, Supplier<Set<String>>> readers = new HashMap<>();
    private final Set<Integer> ports = new HashSet<>();

    /** @param isVerbose whether all events are shown */
    EventFilter(boolean isVerbose) {
        this.isVerbose = isVerbose;
    }

    /** Says which threads of a process receive, as they are found. */
    void setReaders(String process, Supplier<Set<String>> threads) {
        readers.put(process, threads);
    }

    /** Returns whether an event may be shown, which its type tells. A busy receiver has a hundred each second of those that are not. */
    boolean mayBeShown(TimelineEvent event) {
        return isVerbose || !PARTS.contains(event.type());
    }

    /** Returns whether an event is shown; to be called for each that may be. */
    boolean isShown(TimelineEvent event) {
        if (event instanceof SocketEvent.Opened opened) {
            ports.add(opened.port());
        }
        return isVerbose || !isNoise(event);
    }

    private boolean isNoise(TimelineEvent event) {
        if (event instanceof Discarded discarded) {
            return !ports.contains(discarded.port())
                    || discarded.place().reason().equals(Discarded.FULL_SOCKET);
        }
        if (event instanceof DatagramEvent.ErrorsCounted errors) {
            return COUNTERS_OF_OTHERS.contains(errors.counter());
        }
        return PARTS.contains(event.type()) || (OF_THREADS.contains(event.type()) && !isOfReader(event));
    }

    /** As long as no reader is known, each thread may be one. */
    private boolean isOfReader(TimelineEvent event) {
        Set<String> known = readers.getOrDefault(event.process(), Set::of).get();
        return known.isEmpty() || known.contains(event.thread());
    }
}
