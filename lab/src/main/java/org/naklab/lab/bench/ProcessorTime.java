package org.naklab.lab.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Processor time of this process, and of each of its threads, since this was made or last taken. */
final class ProcessorTime {
    private static final Pattern NUMBER = Pattern.compile(" \\d+$");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final long beginNs = System.nanoTime();
    private final long beginProcessNs = PROCESS.getProcessCpuTime();
    private final Map<Long, Long> beginThreadNs = new HashMap<>();

    ProcessorTime() {
        for (long id : THREADS.getAllThreadIds()) {
            beginThreadNs.put(id, THREADS.getThreadCpuTime(id));
        }
    }

    long elapsedNs() {
        return System.nanoTime() - beginNs;
    }

    /** Compiler and collector included. */
    long processNs() {
        return PROCESS.getProcessCpuTime() - beginProcessNs;
    }

    /** Java threads that still run, by name without a number at its end; those of one name together. */
    Map<String, Long> threadNs() {
        Map<String, Long> byName = new HashMap<>();
        for (ThreadInfo info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (info != null) {
                long nowNs = THREADS.getThreadCpuTime(info.getThreadId());
                byName.merge(
                        NUMBER.matcher(info.getThreadName()).replaceFirst(""),
                        Math.max(0, nowNs - beginThreadNs.getOrDefault(info.getThreadId(), 0L)),
                        Long::sum);
            }
        }
        return byName;
    }
}
