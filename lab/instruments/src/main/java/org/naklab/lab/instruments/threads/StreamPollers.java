package org.naklab.lab.instruments.threads;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.StreamEvent.Unpolled;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Knows which threads can poll the subscriptions of a process. A poll of shared memory is no call of the kernel; what is left of it is the position, which only the poller moves. A thread that was
 * away while the position moved does not poll that subscription.
 */
final class StreamPollers {
    private static final int MAX_MOVES = 20;

    private final AbsenceLog absences;
    private final Map<String, Deque<Interval>> moves = new HashMap<>();
    private final Map<String, String> pollers = new HashMap<>();

    StreamPollers(AbsenceLog absences) {
        this.absences = absences;
    }

    static String streamOf(Unpolled event) {
        return event.subscriber().subscriber() + "/" + event.stream().sessionId();
    }

    /** Takes a time of standing still: the position moved when it ended. */
    void add(Unpolled event) {
        if (event.isLasting()) {
            return;
        }
        Deque<Interval> kept = moves.computeIfAbsent(streamOf(event), stream -> new ArrayDeque<>());
        long endNs = event.interval().endNs();
        // The sampler reads its clock first, and may lose the CPU before it reads the position.
        kept.addLast(new Interval(endNs, Math.max(endNs, event.seenNs()) + AbsenceLog.COARSENESS_NS));
        if (kept.size() > MAX_MOVES) {
            kept.removeFirst();
        }
    }

    /** Returns whether a thread was not away at any time at which the position certainly moved. */
    boolean canPoll(Unpolled event, String thread) {
        Deque<Interval> moved = moves.getOrDefault(streamOf(event), new ArrayDeque<>());
        return absences.ofThread(thread)
                .filter(absence -> absence.type() == TimelineEventType.THREAD_ABSENT)
                .noneMatch(absence -> moved.stream()
                        .anyMatch(move -> absence.timeNs() < move.beginNs() && absence.endNs() > move.endNs()));
    }

    /** Keeps the thread that polled a stream when it last stood still for a reason of its own: a signal stops all threads. */
    void remember(Unpolled event, String thread) {
        pollers.put(streamOf(event), thread);
    }

    /** Returns the thread that polled the stream before, unless it has been refuted. */
    Optional<String> known(Unpolled event) {
        return Optional.ofNullable(pollers.get(streamOf(event))).filter(thread -> canPoll(event, thread));
    }
}
