package org.naklab.lab.instruments.kernel.counters;

import java.nio.file.Path;
import java.util.Map;

/**
 * Counts what a shortage of memory makes the machine do, from {@code /proc/vmstat}. Pages are those of the machine, usually 4 KiB.
 *
 * @param directStalls times that a thread had to reclaim memory itself before it got a page
 * @param directScanned pages that threads looked at for that
 * @param backgroundScanned pages that the kernel's own thread looked at
 * @param swappedIn pages read from swap
 * @param swappedOut pages written to swap
 * @param refaults pages that were read again soon after they had been reclaimed: thrashing
 * @param compactionStalls times that a thread had to move pages to get a large one
 * @param oomKills processes killed
 */
public record ReclaimCounters(
        long directStalls,
        long directScanned,
        long backgroundScanned,
        long swappedIn,
        long swappedOut,
        long refaults,
        long compactionStalls,
        long oomKills) {
    /** Reads the machine's counters. */
    public static ReclaimCounters read() {
        return read(Path.of("/proc/vmstat"));
    }

    static ReclaimCounters read(Path file) {
        Map<String, Long> values = CounterFiles.keyed(file);
        return new ReclaimCounters(
                sum(values, "allocstall"), // one for each zone
                values.getOrDefault("pgscan_direct", 0L),
                values.getOrDefault("pgscan_kswapd", 0L),
                values.getOrDefault("pswpin", 0L),
                values.getOrDefault("pswpout", 0L),
                sum(values, "workingset_refault"),
                values.getOrDefault("compact_stall", 0L),
                values.getOrDefault("oom_kill", 0L));
    }

    private static long sum(Map<String, Long> values, String prefix) {
        return values.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Returns the growth since an earlier reading. */
    public ReclaimCounters minus(ReclaimCounters earlier) {
        return new ReclaimCounters(
                directStalls - earlier.directStalls,
                directScanned - earlier.directScanned,
                backgroundScanned - earlier.backgroundScanned,
                swappedIn - earlier.swappedIn,
                swappedOut - earlier.swappedOut,
                refaults - earlier.refaults,
                compactionStalls - earlier.compactionStalls,
                oomKills - earlier.oomKills);
    }
}
