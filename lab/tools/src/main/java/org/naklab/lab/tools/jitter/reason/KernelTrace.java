package org.naklab.lab.tools.jitter.reason;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.kernel.Absence;
import org.naklab.lab.instruments.kernel.KernelRecord;
import org.naklab.lab.instruments.kernel.KernelRecordListener;
import org.naklab.lab.instruments.kernel.LostRecords;
import org.naklab.lab.instruments.kernel.PageFaultSpan;
import org.naklab.lab.instruments.kernel.TaskId;

/** Keeps what the kernel recorder reports of some threads, to be looked up by time. Filled by the recorder's thread, read when it has ended. */
public final class KernelTrace implements KernelRecordListener {
    /** Some hundred bytes each. */
    private static final int MAX_RECORDS = 2_000_000;

    /** Interrupts and faults of a thread may overlap; they are shorter than this. */
    private static final long LOOK_BACK_NS = 50_000_000;

    private final List<String> threads;
    private final Map<String, NavigableMap<Long, KernelRecord>> byThread = new TreeMap<>();
    private int count;
    private long lost;
    private String ended = "";

    /** @param threads the names of the threads to keep */
    public KernelTrace(List<String> threads) {
        this.threads = List.copyOf(threads);
        this.threads.forEach(thread -> byThread.put(thread, new TreeMap<>()));
    }

    @Override
    public synchronized void onRecord(KernelRecord kernelRecord) {
        if (kernelRecord instanceof Absence absence) {
            keep(absence.task(), absence.beginNs(), absence);
        } else if (kernelRecord instanceof PageFaultSpan fault) {
            keep(fault.task(), fault.beginNs(), fault);
        } else if (kernelRecord instanceof KernelRecord.Interrupt interrupt) {
            keep(interrupt.task(), interrupt.beginNs() - interrupt.lateNs(), interrupt);
        } else if (kernelRecord instanceof KernelRecord.Steal steal) {
            keep(steal.task(), steal.beginNs(), steal);
        } else if (kernelRecord instanceof LostRecords losses) {
            lost += losses.what().equals("records") ? losses.count() : 0;
        } else if (kernelRecord instanceof KernelRecord.RecorderEnd end) {
            ended = end.reason();
        }
    }

    /** Two records of a thread may begin at the same time. */
    private void keep(TaskId task, long beginNs, KernelRecord kernelRecord) {
        NavigableMap<Long, KernelRecord> records = byThread.get(task.comm());
        if (records == null) {
            return;
        }
        if (count == MAX_RECORDS) {
            lost++;
            return;
        }
        long key = beginNs;
        while (records.putIfAbsent(key, kernelRecord) != null) {
            key++;
        }
        count++;
    }

    /** Returns why the record is not complete; empty if it is. */
    public synchronized String incomplete() {
        return !ended.isEmpty() ? ended : lost > 0 ? lost + " of the kernel's records were lost" : "";
    }

    /** Returns the records of a thread that overlap a time, in order of their begin. */
    synchronized List<KernelRecord> overlapping(String thread, Interval time) {
        NavigableMap<Long, KernelRecord> records = byThread.getOrDefault(thread, new TreeMap<>());
        List<KernelRecord> found = new ArrayList<>();
        for (KernelRecord each :
                records.headMap(time.endNs(), true).descendingMap().values()) {
            if (each.timeNs() >= time.beginNs()) {
                found.add(0, each);
            } else if (time.beginNs() - each.timeNs() > LOOK_BACK_NS) {
                break;
            }
        }
        return found;
    }

    /** Returns the name of a thread; null for none, or an idle CPU. */
    static @Nullable String nameOf(@Nullable TaskId task) {
        return task == null || task.isIdle() ? null : task.comm();
    }
}
