package org.naklab.lab.instruments.kernel;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadAbsence.WakerWait;

/**
 * Keeps the last absences of each thread, to answer for what the waker of a thread had waited itself. A thread that wakes another one is back before that
 * one is, so its own absences have been recorded by then. One thread.
 */
final class WaitChain {
    private static final int MAX_ABSENCES = 64;
    private static final int MAX_THREADS = 4096;
    /** Who was away for less of a wait did something else in most of it. */
    private static final double LEAST_COVERED = 0.5;

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

    /**
     * Returns for what the waker waited in most of the time that the thread waited for it, for what the waker of that one waited, and so on; null if the waker spent less than half
     * of it absent, or if that was not recorded. No thread counts twice.
     */
    @Nullable
    WakerWait beforeWaking(Absence absence) {
        Set<Integer> known = new HashSet<>(Set.of(absence.task().tid()));
        return beforeWaking(absence, absence.interval(Long.MAX_VALUE), absence.beginNs(), known);
    }

    /** @param within the part of the first thread's wait that depends on this absence */
    private @Nullable WakerWait beforeWaking(Absence absence, Interval within, long firstNs, Set<Integer> known) {
        Waking waking = absence.waking();
        if (waking == null
                || waking.byInterrupt()
                || known.size() > WakerWait.MOST_STEPS
                || !known.add(waking.waker().tid())) {
            return null;
        }
        Optional<Interval> awaited = within.intersection(new Interval(absence.beginNs(), waking.timeNs()));
        if (awaited.isEmpty()) {
            return null;
        }
        Interval wait = awaited.get();
        Collection<Absence> ofWaker = recent.getOrDefault(waking.waker().tid(), new ArrayDeque<>());
        return ofWaker.stream()
                .filter(candidate -> candidate.task().pid() == waking.waker().pid())
                .max(Comparator.comparingDouble(candidate -> covered(wait, candidate)))
                .filter(candidate -> covered(wait, candidate) >= LEAST_COVERED)
                .flatMap(candidate -> wait.intersection(candidate.interval(wait.endNs()))
                        .map(part ->
                                step(candidate, part, firstNs).after(beforeWaking(candidate, part, firstNs, known))))
                .orElse(null);
    }

    private static double covered(Interval wait, Absence candidate) {
        return wait.coveredBy(List.of(candidate.interval(wait.endNs())));
    }

    private static WakerWait step(Absence absence, Interval part, long firstNs) {
        Waking waking = absence.waking();
        return new WakerWait(
                part.beginNs() - firstNs,
                part.lengthNs(),
                absence.state(),
                waking == null || waking.byInterrupt() ? "" : waking.waker().comm(),
                waking == null ? ThreadAbsence.Ending.UNKNOWN : waking.ending(),
                absence.kernelStack(),
                null);
    }
}
