package org.naklab.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Holds what the kernel has counted so far.
 *
 * @param cpus the times of all CPUs
 * @param ownTicks the CPU time of this process, of its descendants, and of those of them that ended
 * @param waitedUs time in which some task waited for a CPU; 0 where the kernel does not measure pressure
 * @param atNs when they were read
 */
record MachineFigures(CpuTicks cpus, long ownTicks, long waitedUs, long atNs) {
    private static final Pattern SOME = Pattern.compile("(?m)^some .*total=(\\d+)$");

    /** In the text after the program's name, which may have blanks: utime, stime, cutime and cstime. */
    private static final int FIRST_TIME = 11;

    private static final int TIMES = 4;

    /** Reads the figures below a directory like {@code /proc}. */
    static MachineFigures read(Path proc) throws IOException {
        Path pressure = proc.resolve("pressure/cpu");
        long own = LongStream.concat(
                        LongStream.of(ProcessHandle.current().pid()),
                        ProcessHandle.current().descendants().mapToLong(ProcessHandle::pid))
                .map(pid -> ticksOf(proc.resolve(pid + "/stat")))
                .sum();
        return new MachineFigures(
                CpuTicks.of(Files.readString(proc.resolve("stat"))),
                own,
                Files.isReadable(pressure) ? waitedUs(Files.readString(pressure)) : 0,
                System.nanoTime());
    }

    static long waitedUs(String pressure) {
        Matcher some = SOME.matcher(pressure);
        if (!some.find()) {
            throw new IllegalArgumentException("expected a line of some pressure, found: " + pressure);
        }
        return Long.parseLong(some.group(1));
    }

    /** Returns the ticks that a process, and its children that ended, used by its {@code stat}. */
    static long ticks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(") ") + 2).split(" ", -1);
        long sum = 0;
        for (int i = FIRST_TIME; i < FIRST_TIME + TIMES; i++) {
            sum += Long.parseLong(fields[i]);
        }
        return sum;
    }

    /** Returns what happened to the machine since an earlier reading. */
    Disturbance since(MachineFigures earlier, long latestTimerNs) {
        double all = Math.max(1, cpus.all() - earlier.cpus.all());
        double busy = cpus.busy() - earlier.cpus.busy();
        double own = Math.max(0, ownTicks - earlier.ownTicks);
        double us = Math.max(1, (atNs - earlier.atNs) / 1000);
        return new Disturbance(
                cpus.stolenSince(earlier.cpus),
                (waitedUs - earlier.waitedUs) / us,
                Math.max(0, busy - own) / all,
                latestTimerNs);
    }

    /** A process that has ended meanwhile is counted with its parent. */
    private static long ticksOf(Path stat) {
        try {
            return ticks(Files.readString(stat));
        } catch (IOException e) {
            return 0;
        }
    }
}
