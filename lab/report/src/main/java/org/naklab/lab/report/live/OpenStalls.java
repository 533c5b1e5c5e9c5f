package org.naklab.lab.report.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.DiagnosisRecord;

/** Draws up what is known so far of stalls that last, and of those whose account is not made yet. Safe for several threads. */
final class OpenStalls {
    /** The latest events of all types. Between two stalls they tell nothing that is wanted here. */
    private static final int MAX_EVENTS = 4_096;
    /** Instruments tell the parts of a stall within this time after its end. */
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(2);

    /** The chain grows by a few events a second. */
    private static final long EXAMINED_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final String NOT_KNOWN = "not known yet";

    /** By these one can tell which thread it is that does not read, if its stall was noticed at its socket. */
    private static final Set<TimelineEventType> OF_READER =
            EnumSet.of(TimelineEventType.THREAD_ABSENT, TimelineEventType.PAGE_FAULT);

    private final StallExaminer examiner;
    private final Deque<TimelineEvent> latest = new ArrayDeque<>();

    private @Nullable TimelineEvent ended;
    /** How many events were told. */
    private long told;

    private final Object examination = new Object();
    private @Nullable Examined examined;
    private long examinedNs;

    /**
     * Tells what an examination has found of the latest stall that is over.
     *
     * @param told events that were told when it was examined
     */
    record Examined(TimelineEvent stall, long told, DiagnosisRecord diagnosis) {}

    /** @param examiner tells what is known of a stall */
    OpenStalls(StallExaminer examiner) {
        this.examiner = examiner;
    }

    synchronized void onEvent(TimelineEvent event) {
        if (event.type() == TimelineEventType.STALL
                && !FilmReader.role(event.process()).equals("control")) {
            ended = event;
        }
        if (event.type() == TimelineEventType.STALL || event.type() == TimelineEventType.STALL_BEGAN) {
            return;
        }
        told++;
        latest.addLast(event);
        if (latest.size() > MAX_EVENTS) {
            latest.removeFirst();
        }
    }

    /**
     * Tells what is known by now.
     *
     * @param beating processes that tell themselves which of their threads does not go on
     */
    void look(LiveStalls stalls, Set<String> beating, long nowNs) {
        for (Film.Stalled stall : stalls.unaccounted(nowNs - SETTLED_NS)) {
            Interval until = new Interval(stall.beginNs(), Math.min(stall.endNs(), nowNs));
            if (until.lengthNs() > 0) {
                boolean isNamed = stall.endNs() <= nowNs || beating.contains(stall.process());
                stalls.soFar(stall, parts(stall, isNamed, until));
            }
        }
    }

    /**
     * Returns what is known of the latest stall that is over; {@code null}: there was none, or nobody can tell. It is examined only for those who ask, and again when
     * more events were told since, until all is told of it. Those who tell events do not wait for it.
     *
     * @param nowNs CLOCK_MONOTONIC
     */
    @Nullable
    Examined examined(long nowNs) {
        synchronized (examination) {
            TimelineEvent stall;
            List<TimelineEvent> events;
            long count;
            Examined before = examined;
            synchronized (this) {
                stall = ended;
                count = told;
                if (stall == null || !isDue(stall, before, nowNs)) {
                    return before;
                }
                events = List.copyOf(latest);
            }
            examinedNs = nowNs;
            examined = examiner.examine(stall, events)
                    .map(diagnosis -> new Examined(stall, count, diagnosis))
                    .orElse(null);
            return examined;
        }
    }

    private boolean isDue(TimelineEvent stall, @Nullable Examined before, long nowNs) {
        if (before == null || !before.stall().equals(stall)) {
            return true;
        }
        boolean isOpen = examinedNs - stall.endNs() < SETTLED_NS;
        return isOpen && before.told() < told && nowNs - examinedNs >= EXAMINED_AGAIN_NS;
    }

    private List<Map<String, Object>> parts(Film.Stalled stall, boolean isNamed, Interval until) {
        List<TimelineEvent> its = near(until);
        ThreadStall.Sight seen = new ThreadStall.Sight(until.lengthNs(), until.endNs(), null, true, null, null);
        StallAccount account = examiner.account(
                new ThreadStall(
                        until.beginNs(),
                        TimelineEventType.STALL,
                        stall.process(),
                        isNamed ? stall.thread() : onlyThread(stall, its),
                        Interruption.UNKNOWN,
                        seen),
                its);
        List<Map<String, Object>> parts = new ArrayList<>();
        for (AccountEntry entry : account.entries()) {
            parts.add(
                    entry.kind() == AccountKind.UNEXPLAINED
                            ? Map.of("kind", NOT_KNOWN, "ms", entry.ms(), "detail", "")
                            : FilmReader.part(entry));
        }
        if (parts.isEmpty()) {
            parts.add(Map.of("kind", NOT_KNOWN, "ms", until.lengthNs() / Units.NS_PER_MS, "detail", ""));
        }
        return parts;
    }

    /** Returns the only thread of the process of which something was told; if there are several, nobody knows yet which of them does not read. */
    private static String onlyThread(Film.Stalled stall, List<TimelineEvent> events) {
        List<String> threads = events.stream()
                .filter(event ->
                        OF_READER.contains(event.type()) && event.process().equals(stall.process()))
                .map(TimelineEvent::thread)
                .distinct()
                .toList();
        return threads.size() == 1 ? threads.get(0) : stall.thread();
    }

    private synchronized List<TimelineEvent> near(Interval span) {
        return latest.stream()
                .filter(event -> event.interval().overlaps(span) || span.contains(event.timeNs()))
                .toList();
    }
}
