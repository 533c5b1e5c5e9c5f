package org.naklab.lab.tools.jitter;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.naklab.lab.instruments.linux.CpuSteal;

/** The share of its time that the hypervisor took from the CPU that lost most. */
final class StolenShare {
    private static final Path STAT = Path.of("/proc/stat");

    private final long beganNs = System.nanoTime();
    private final long[] before = stolenNs();

    private StolenShare() {}

    static StolenShare start() {
        return new StolenShare();
    }

    /** Returns the share, 0 to 1; 0 if the hypervisor does not report it. */
    double sinceStart() {
        long[] after = stolenNs();
        long lengthNs = Math.max(1, System.nanoTime() - beganNs);
        return IntStream.range(0, Math.min(before.length, after.length))
                .mapToDouble(cpu -> (after[cpu] - before[cpu]) / (double) lengthNs)
                .max()
                .orElse(0);
    }

    private static long[] stolenNs() {
        try (CpuSteal steal = new CpuSteal(STAT)) {
            boolean isRead = steal.read();
            return IntStream.range(0, isRead ? steal.processors() : 0)
                    .mapToLong(steal::stolenNs)
                    .toArray();
        }
    }
}
