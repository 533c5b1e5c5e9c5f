package org.naklab.lab.core.timeline;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.core.timeline.JvmEvent.Safepoint;

/**
 * One time in which a thread did not sleep: it ran, or it could not run although it had something to do.
 *
 * @param process name or pid
 * @param thread name in the kernel, of up to 15 bytes
 * @param interval from the waking until the thread went to sleep by itself
 * @param cpuNs how long it was on a CPU, ns
 * @param runnableNs how long it was runnable without a CPU, ns
 * @param faultNs how long it waited in page faults, ns
 */
public record ThreadBusy(String process, String thread, Interval interval, long cpuNs, long runnableNs, long faultNs)
        implements TimelineEvent {
    /** The clock of a JVM's events and that of the kernel differ by about that. */
    private static final long TOLERANCE_NS = 2_000_000;

    /** Tells what a thread did for most of the time. */
    public enum Activity {
        ON_CPU,
        /** Runnable without a CPU. */
        WITHOUT_CPU,
        PAGE_FAULT,
        /** State D for another reason, or halted. */
        BLOCKED
    }

    /** Returns what the thread did for the longest part of the time. */
    public Activity activity() {
        Map<Activity, Long> parts = Map.of(
                Activity.ON_CPU, cpuNs,
                Activity.WITHOUT_CPU, runnableNs,
                Activity.PAGE_FAULT, faultNs,
                Activity.BLOCKED, Math.max(0, interval.lengthNs() - cpuNs - runnableNs - faultNs));
        return parts.entrySet().stream()
                .max(Map.Entry.<Activity, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .orElseThrow()
                .getKey();
    }

    /**
     * Returns the thread that a safepoint waited for longest. A thread that reaches a safepoint goes to sleep there, and the safepoint is reached when the last
     * one does: it is the one whose busy time covers the way to the safepoint and ends with it. Threads that are busy in native code go on.
     *
     * @param safepoint of the same process
     */
    public static Optional<ThreadBusy> late(Safepoint safepoint, Collection<ThreadBusy> busy) {
        Interval way = safepoint.way();
        long reachedNs = way.endNs();
        long toleranceNs = Math.max(TOLERANCE_NS, way.lengthNs() / 10);
        return busy.stream()
                .filter(spell -> spell.process().equals(safepoint.process()))
                .filter(spell -> way.coveredBy(List.of(spell.interval())) >= 0.8)
                .filter(spell -> spell.distanceNs(reachedNs) <= toleranceNs)
                .min(Comparator.comparingLong(spell -> spell.distanceNs(reachedNs)));
    }

    private long distanceNs(long timeNs) {
        return Math.abs(interval.endNs() - timeNs);
    }
}
