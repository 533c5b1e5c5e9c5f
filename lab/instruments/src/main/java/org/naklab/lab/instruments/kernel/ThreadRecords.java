package org.naklab.lab.instruments.kernel;

import java.util.List;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ShortWaits;
import org.naklab.lab.core.timeline.ThreadEvent.MemoryReclaim;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;

/** Makes of records of threads what the timeline has: names instead of ids. */
final class ThreadRecords {
    private ThreadRecords() {}

    static TimelineEvent toEvent(KernelRecord.ShortWaits waits, String process, String thread) {
        TaskId waker = waits.waker();
        return new ShortWaits(
                process,
                thread,
                new Interval(waits.beginNs(), waits.endNs()),
                waits.blockedNs(),
                waits.runnableNs(),
                waker == null ? "" : waker.comm(),
                waker != null && waker.pid() == waits.task().pid(),
                waits.kernelStack());
    }

    static TimelineEvent toEvent(KernelRecord.Sample sample, String process, String thread) {
        return new ThreadSample(process, thread, sample.timeNs(), sample.kernelStack(), names(sample.userStack()));
    }

    static TimelineEvent toEvent(KernelRecord.Reclaim reclaim, String process, String thread) {
        Interval interval = new Interval(reclaim.beginNs(), reclaim.endNs());
        return new MemoryReclaim(process, thread, interval, reclaim.reclaimNs());
    }

    static List<String> names(List<StackFrame> frames) {
        return frames.stream().map(ThreadRecords::name).map(String::intern).toList();
    }

    /** A frame without a symbol is its module. */
    private static String name(StackFrame frame) {
        return frame.symbol().isEmpty() ? "[" + fileName(frame.module()) + "]" : frame.symbol();
    }

    private static String fileName(String path) {
        return path.isEmpty() ? "unknown" : path.substring(path.lastIndexOf('/') + 1);
    }

    /** A group by its directory, a process by its name and id. */
    static String halter(Absence absence) {
        TaskId by = absence.by();
        return by == null ? absence.cgroup() : by.comm() + " (process " + by.pid() + ")";
    }

    /** Says for which lock it waited, and who held it; empty if for none. */
    static String fileLock(Absence absence) {
        Absence.FileLock lock = absence.fileLock();
        if (lock == null) {
            return "";
        }
        TaskId holder = lock.holder();
        return lock.call()
                + (lock.file().isEmpty() ? "" : " of " + lock.file())
                + (holder == null ? "" : ", held by " + holder.comm() + " (process " + holder.pid() + ")");
    }
}
