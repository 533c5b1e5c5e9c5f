package org.naklab.testing;

import java.util.Arrays;

/**
 * The times of all CPUs since the machine started, by the first line of {@code /proc/stat}, in ticks.
 *
 * @param all in any state
 * @param busy in which a process of this machine ran, or the kernel
 * @param stolen ready to run, but the hypervisor ran something else
 */
record CpuTicks(long all, long busy, long stolen) {
    /** The line has user, nice, system, idle, iowait, irq, softirq and steal; the times of guests after these are in user and nice. */
    private static final int STATES = 8;

    private static final int IDLE = 3;
    private static final int WAITING = 4;

    /**
     * Reads the times.
     *
     * @param stat the file's text
     * @throws IllegalArgumentException if the first line is not that of all CPUs
     */
    static CpuTicks of(String stat) {
        String[] fields = stat.lines().findFirst().orElse("").split(" +");
        if (!fields[0].equals("cpu") || fields.length <= STATES) {
            throw new IllegalArgumentException("expected the times of all CPUs in the first line, found: " + fields[0]);
        }
        long[] ticks =
                Arrays.stream(fields, 1, STATES + 1).mapToLong(Long::parseLong).toArray();
        long all = Arrays.stream(ticks).sum();
        long stolen = ticks[STATES - 1];
        return new CpuTicks(all, all - stolen - ticks[IDLE] - ticks[WAITING], stolen);
    }

    /** Returns the share of the CPUs that the hypervisor took since an earlier reading, 0 to 1. */
    double stolenSince(CpuTicks earlier) {
        return (stolen - earlier.stolen) / (double) Math.max(1, all - earlier.all);
    }
}
