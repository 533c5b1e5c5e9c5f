package org.naklab.lab.instruments.kernel;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.core.timeline.Interval;

/**
 * Keeps the last absences of each thread, to answer for what the waker of a thread had waited itself. A thread that wakes another one is back before that
 * one is, so its own absences have been recorded by then. One thread.
 */
final class WaitChain {
    private static final int MAX_ABSENCES = 64;
    private static final int MAX_THREADS = 4096;

    private final Map<Integer, Deque<Absence>> recent = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Deque<Absence>> eldest) {
            return size() > MAX_THREADS;
        }
    };

    void add(Absence absence) {
        Deque<Absence> absences = recent.computeIfAbsent(absence.task().tid(), thread -> new ArrayDeque<>());
        absences.addLast(absence);
        if (absences.size() > MAX_ABSENCES) {
            absences.removeFirst();
        }
    }

    /** Returns the absence in which the waker spent most of the time that the thread waited for it; none if it spent less than half of it absent. */
    Optional<Absence> beforeWaking(Absence absence) {
        Waking waking = absence.waking();
        if (waking == null
                || waking.byInterrupt()
                || waking.waker().tid() == absence.task().tid()) {
            return Optional.empty();
        }
        Interval wait = new Interval(absence.beginNs(), waking.timeNs());
        Collection<Absence> ofWaker = recent.getOrDefault(waking.waker().tid(), new ArrayDeque<>());
        return ofWaker.stream()
                .filter(candidate -> candidate.task().pid() == waking.waker().pid())
                .filter(candidate -> wait.coveredBy(List.of(candidate.interval(wait.endNs()))) >= 0.5)
                .max(Comparator.comparingDouble(
                        candidate -> wait.coveredBy(List.of(candidate.interval(wait.endNs())))));
    }
}
