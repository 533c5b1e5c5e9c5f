package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.GC_PAUSE;
import static org.naklab.lab.core.timeline.TimelineEventType.RUN_QUEUE_DELAY;
import static org.naklab.lab.core.timeline.TimelineEventType.SAFEPOINT;
import static org.naklab.lab.core.timeline.TimelineEventType.SLOW_CALLBACK;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_CONTINUED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SLEPT;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;
import static org.naklab.lab.core.timeline.TimelineEventType.YIELDED;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** The shares of one thread's stall by instrument: from 0 to 1, or more if an instrument knows only a length. */
final class StallBreakdown {
    private static final double NS_PER_MS = 1e6;

    private final CaseFile file;
    private final TimelineEvent event;
    private final Interval stall;

    /** @param event a STALL */
    StallBreakdown(CaseFile file, TimelineEvent event) {
        this.file = file;
        this.event = event;
        stall = event.interval();
    }

    /** The process was stopped by a signal. */
    double paused() {
        return stall.coveredBy(file.spans(event.process(), THREAD_CONTINUED));
    }

    /** An idle thread's timer was late as well. */
    double machine() {
        return stall.coveredBy(late());
    }

    /**
     * A hypervisor ran others on one of this machine's processors, the one that lost most. From a thread that slept in a callback it has taken
     * nothing.
     */
    double stolen() {
        return Math.max(0, Math.min(ofDetail("stolenMs"), 1 - asleepInCallback()));
    }

    /** The thread slept in one callback: it waited for a lock, a device, an answer. */
    double asleepInCallback() {
        return stall.coveredBy(sleepsInCallbacks());
    }

    private List<Interval> sleepsInCallbacks() {
        List<Interval> callbacks = file.spans(event.process(), SLOW_CALLBACK);
        return ofThread(THREAD_SLEPT)
                .flatMap(sleep -> callbacks.stream().flatMap(callback -> sleep.intersection(callback).stream()))
                .toList();
    }

    /** The thread waited for a processor. */
    double runQueue() {
        return Math.max(stall.coveredBy(waits()), ofDetail("processorWaitMs"));
    }

    /**
     * The thread waited for a processor, or a timer was late, or another process stood still as well, not for a collection of its
     * own: of the three together. What stands between threads of several processes is no matter of one of them.
     */
    double crowded() {
        List<Interval> spans = new ArrayList<>(waits());
        spans.addAll(late());
        file.of(STALL).stream()
                .filter(other -> !other.process().equals(event.process()))
                .filter(other -> new StallBreakdown(file, other).isOthersDoing())
                .map(TimelineEvent::interval)
                .forEach(spans::add);
        return stall.coveredBy(spans);
    }

    private boolean isOthersDoing() {
        return paused() < Explanation.LEAST_SHARE && collected() < Explanation.LEAST_SHARE;
    }

    private List<Interval> late() {
        return file.of(TIMER_LATE).stream().map(TimelineEvent::interval).toList();
    }

    private List<Interval> waits() {
        return ofThread(RUN_QUEUE_DELAY).toList();
    }

    private Stream<Interval> ofThread(TimelineEventType type) {
        return file.of(event.process(), type).stream()
                .filter(each -> each.thread().equals(event.thread()))
                .map(TimelineEvent::interval);
    }

    /** The JVM stopped all of its threads, by its own events or by the collectors' time. */
    double collected() {
        return Math.max(seenCollected(), ofDetail("collectionMs"));
    }

    /**
     * Returns the share of {@link #collected()} that the JVM's own events cover. A safepoint whose time is mostly the time to reach it
     * waits for a thread; if this thread has no CPU, the safepoint is the effect of its wait.
     */
    double seenCollected() {
        boolean isWaitedFor = runQueue() >= Explanation.LEAST_SHARE;
        return stall.coveredBy(file.of(event.process(), SAFEPOINT, GC_PAUSE).stream()
                .filter(pause -> !isWaitedFor || !isMostlyTheWay(pause))
                .map(TimelineEvent::interval)
                .toList());
    }

    private static boolean isMostlyTheWay(TimelineEvent pause) {
        return 2 * pause.longDetail("toSafepointNs", 0) >= pause.interval().lengthNs();
    }

    /** One callback took so long. */
    double callback() {
        return stall.coveredBy(file.spans(event.process(), SLOW_CALLBACK));
    }

    /** Spent in one yield. */
    double yielding() {
        return stall.coveredBy(file.spans(event.process(), YIELDED));
    }

    /** Some thread of the machine waited for a processor. */
    double pressed() {
        return ofDetail("processorPressureMs");
    }

    private double ofDetail(String key) {
        return event.detail(key) instanceof Number ms && stall.lengthNs() > 0
                ? ms.doubleValue() * NS_PER_MS / stall.lengthNs()
                : 0;
    }
}
