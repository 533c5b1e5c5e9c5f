package org.naklab.lab.instruments.kernel.counters;

import java.nio.file.Path;
import org.naklab.lab.core.process.ProcPaths;

/**
 * Counts packets that the receiving side of the kernel lost or put off before any protocol saw them, from {@code /proc/net/softnet_stat}:
 * one line a processor, hexadecimal; the first three words are processed, dropped, times squeezed.
 *
 * @param processed packets
 * @param dropped the queue of a processor was full ({@code net.core.netdev_max_backlog})
 * @param squeezed times that the work was put off because its time or budget was used up
 */
public record SoftnetCounters(long processed, long dropped, long squeezed) {
    private static final int HEX = 16;

    /** Reads the machine's counters. */
    public static SoftnetCounters read() {
        return read(Path.of("/proc/net/softnet_stat"));
    }

    /**
     * Reads the machine's counters as a process sees them.
     *
     * @throws org.naklab.lab.core.timeline.DetectException the process is gone
     */
    public static SoftnetCounters ofProcess(long pid) {
        return read(ProcPaths.of(pid, "net", "softnet_stat"));
    }

    static SoftnetCounters read(Path file) {
        long[] sums = new long[3];
        for (String line : CounterFiles.lines(file)) {
            String[] words = line.split(" ", -1);
            for (int i = 0; i < sums.length && words.length > sums.length; i++) {
                sums[i] += Long.parseLong(words[i], HEX);
            }
        }
        return new SoftnetCounters(sums[0], sums[1], sums[2]);
    }

    /** Returns the growth since an earlier reading. */
    public SoftnetCounters minus(SoftnetCounters earlier) {
        return new SoftnetCounters(
                processed - earlier.processed, dropped - earlier.dropped, squeezed - earlier.squeezed);
    }
}
