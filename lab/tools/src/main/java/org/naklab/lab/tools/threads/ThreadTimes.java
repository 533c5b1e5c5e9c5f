package org.naklab.lab.tools.threads;

import java.util.HashMap;
import java.util.Map;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.lab.instruments.threads.ProcessThreads.NamedThread;
import org.naklab.lab.instruments.threads.ThreadStat;

/** Processor time of each thread of a process so far, in nanoseconds. */
public record ThreadTimes(Map<NamedThread, Long> ns) {
    /** Reads the times of a process, without those of threads that end meanwhile. */
    public static ThreadTimes of(long pid) {
        Map<NamedThread, Long> ns = new HashMap<>();
        for (NamedThread thread : new ProcessThreads(pid).list()) {
            try (ThreadStat figures = ThreadStat.open(pid, thread.tid())) {
                if (figures.readSchedule()) {
                    ns.put(thread, figures.cpuNs());
                }
            } catch (DetectException ended) {
                // What it took is not known.
            }
        }
        return new ThreadTimes(Map.copyOf(ns));
    }

    /** Opens the one thread of that name, until it is closed. */
    public static ThreadStat open(long pid, String name) {
        int tid = new ProcessThreads(pid)
                .find(name)
                .orElseThrow(() -> new IllegalStateException("process " + pid + " has no thread " + name));
        return ThreadStat.open(pid, tid);
    }

    /** Returns the CPU time of one thread so far, ns. */
    public static long cpuNs(ThreadStat figures) {
        if (!figures.readSchedule()) {
            throw new IllegalStateException("a thread ended while it was measured");
        }
        return figures.cpuNs();
    }

    /**
     * Returns the CPU time since an earlier reading, ns by the kernel's name of the thread; threads of one name are added.
     */
    public Map<String, Long> since(ThreadTimes earlier) {
        Map<String, Long> byName = new HashMap<>();
        ns.forEach(
                (thread, nowNs) -> byName.merge(thread.name(), nowNs - earlier.ns.getOrDefault(thread, 0L), Long::sum));
        return byName;
    }
}
