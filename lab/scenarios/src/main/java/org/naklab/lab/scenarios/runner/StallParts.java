package org.naklab.lab.scenarios.runner;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Keeps from the timeline what comes many times a second and tells something of a stall only: short waits, samples, and reclaim of memory. An event that is a part of a
 * stall passes, whichever of both comes first. One thread.
 */
final class StallParts {
    private static final Set<TimelineEventType> PARTS = EnumSet.of(
            TimelineEventType.THREAD_WAITED, TimelineEventType.THREAD_SAMPLED, TimelineEventType.MEMORY_RECLAIMED);
    /** A stall is told when it ends; the longest that is looked for is shorter, and records are at most seconds late. */
    private static final long KEPT_NS = 30_000_000_000L;

    private static final int MAX_STALLS = 1_000;

    private final Deque<TimelineEvent> held = new ArrayDeque<>();
    private final Deque<TimelineEvent> stalls = new ArrayDeque<>();

    /** Takes an event; returns those that belong on the timeline now. */
    List<TimelineEvent> take(TimelineEvent event) {
        if (PARTS.contains(event.type())) {
            return takePart(event);
        }
        List<TimelineEvent> passed = new ArrayList<>();
        if (event.type() == TimelineEventType.STALL) {
            stalls.addLast(event);
            if (stalls.size() > MAX_STALLS) {
                stalls.removeFirst();
            }
            held.removeIf(part -> isPartOf(part, event) && passed.add(part));
        }
        passed.add(event);
        return passed;
    }

    private List<TimelineEvent> takePart(TimelineEvent part) {
        if (stalls.stream().anyMatch(stall -> isPartOf(part, stall))) {
            return List.of(part);
        }
        held.addLast(part);
        while (part.timeNs() - held.getFirst().timeNs() > KEPT_NS) {
            held.removeFirst();
        }
        return List.of();
    }

    private static boolean isPartOf(TimelineEvent part, TimelineEvent stall) {
        return part.process().equals(stall.process())
                && part.thread().equals(stall.thread())
                && (part.interval().overlaps(stall.interval())
                        || stall.interval().contains(part.timeNs()));
    }
}
