package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.naklab.lab.core.KernelFields;
import org.naklab.lab.core.timeline.DetectException;

/** The CPUs on which a thread may run. */
public final class ThreadAffinity {
    private static final long SYS_SCHED_SETAFFINITY =
            System.getProperty("os.arch").equals("aarch64") ? 122 : 203;

    private static final int MAX_CPUS = 8_192;

    private ThreadAffinity() {}

    /**
     * Binds the calling thread to one CPU.
     *
     * @throws DetectException if there is no such CPU, or the process may not use it
     */
    public static void pin(int cpu) {
        pin(0, cpu);
    }

    /**
     * Binds a thread to one CPU.
     *
     * @param tid as this machine numbers it; 0: the calling thread
     * @throws DetectException if there is no such thread or CPU, or this process may not
     */
    public static void pin(int tid, int cpu) {
        restrict(tid, List.of(cpu));
    }

    /**
     * Lets a thread run on some CPUs only. Threads and processes that it starts afterwards inherit that.
     *
     * @param tid as this machine numbers it; 0: the calling thread
     * @throws DetectException if there is no such thread or CPU, or this process may not
     */
    public static void restrict(int tid, Collection<Integer> cpus) {
        NativeMemory mask = new NativeMemory(MAX_CPUS / Byte.SIZE);
        for (int cpu : cpus) {
            if (cpu < 0 || cpu >= MAX_CPUS) {
                throw new DetectException("no CPU " + cpu);
            }
            int at = cpu / Byte.SIZE;
            mask.view().putByte(at, (byte) (mask.view().getByte(at) | 1 << cpu % Byte.SIZE));
        }
        if (Libc.syscall(SYS_SCHED_SETAFFINITY, tid, mask.length(), mask.address()) != 0) {
            throw new DetectException("cannot bind a thread to CPU "
                    + cpus.stream().map(String::valueOf).collect(Collectors.joining(",")) + ": " + Libc.lastError());
        }
    }

    /** Returns the CPUs on which this process may run, in order. */
    public static List<Integer> allowed() {
        try {
            return parse(KernelFields.read(KernelFields.OWN_STATUS).text("Cpus_allowed_list"));
        } catch (IOException e) {
            throw new DetectException("cannot read the CPUs of this process: " + e.getMessage(), e);
        }
    }

    /** Parses a list of CPUs as the kernel writes it, such as {@code 0-2,5}; empty for none. */
    public static List<Integer> parse(String list) {
        List<Integer> cpus = new ArrayList<>();
        for (String range : list.split(",", -1)) {
            if (!range.isBlank()) {
                String[] ends = range.strip().split("-", 2);
                for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                    cpus.add(cpu);
                }
            }
        }
        return cpus;
    }
}
