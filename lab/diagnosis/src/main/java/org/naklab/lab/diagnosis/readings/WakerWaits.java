package org.naklab.lab.diagnosis.readings;

import java.util.List;
import java.util.function.BiFunction;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadAbsence.WakerWait;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** Tells why the thread that woke another one was away: the holder of a lock, which the other one waited for. */
public final class WakerWaits {
    /** Two records of the kernel begin and end at different switches. */
    private static final double COVERED = 0.8;

    private final BiFunction<String, Interval, List<TimelineEvent>> busy;

    /** @param busy returns the {@link TimelineEventType#THREAD_BUSY} of a thread of the process that cover a part of an interval */
    public WakerWaits(BiFunction<String, Interval, List<TimelineEvent>> busy) {
        this.busy = busy;
    }

    /** Returns an absence with the reason why its waker was away by the waker's own record: it may have waited for something, been woken soon, and got no CPU for most of the time. */
    public ThreadAbsence corrected(ThreadAbsence absence) {
        WakerWait wait = absence.wakerWait();
        if (wait == null || wait.isWithoutCpu() || !absence.isWakerOfProcess()) {
            return absence;
        }
        return busy.apply(absence.waker(), absence.blocked()).stream()
                .flatMap(TimelineEvent.only(ThreadBusy.class))
                .filter(spell -> absence.blocked().coveredBy(List.of(spell.interval())) >= COVERED)
                .filter(spell -> spell.activity() == ThreadBusy.Activity.WITHOUT_CPU)
                .findFirst()
                .map(spell -> absence.afterWaitOfWaker(
                        new WakerWait(wait.durationNs(), ThreadAbsence.State.RUNNABLE, "", List.of())))
                .orElse(absence);
    }

    /** Returns whether a thread waited for another one of its process that had no CPU for at least half of that time. */
    public static boolean isForThreadWithoutCpu(ThreadAbsence absence) {
        WakerWait wait = absence.wakerWait();
        return wait != null
                && absence.isWakerOfProcess()
                && wait.isWithoutCpu()
                && 2 * wait.durationNs() >= absence.blocked().lengthNs();
    }
}
