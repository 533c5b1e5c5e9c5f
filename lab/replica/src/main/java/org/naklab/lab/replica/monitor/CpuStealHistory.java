package org.naklab.lab.replica.monitor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.linux.CpuSteal;

/**
 * Measures the CPU steal of this machine: a thread that loses its CPU this way does not wait by the guest kernel's account,
 * and yet does not run. Each CPU is counted separately: a thread does not lose twice what two CPUs lose at the same time.
 */
public final class CpuStealHistory {
    private static final Path STAT = Path.of("/proc/stat");

    /** Steal is told in hundredths of a second: ten seconds of nothing else. */
    private static final int CHANGES = 1 << 10;

    private final @Nullable CpuSteal file;
    private final CounterHistory[] stolenNs;

    public CpuStealHistory() {
        this(STAT);
    }

    /**
     * Opens the file with the times of the processors.
     *
     * @param stat {@code /proc/stat} or a file like it
     */
    public CpuStealHistory(Path stat) {
        file = open(stat);
        stolenNs = IntStream.range(0, file == null ? 0 : file.processors())
                .mapToObj(processor -> new CounterHistory(CHANGES))
                .toArray(CounterHistory[]::new);
    }

    private static @Nullable CpuSteal open(Path stat) {
        try {
            return Files.isReadable(stat) ? new CpuSteal(stat) : null;
        } catch (DetectException e) {
            return null;
        }
    }

    /** Allocates nothing. */
    public void sample() {
        sample(System.nanoTime());
    }

    void sample(long nowNs) {
        if (file != null && file.read()) {
            for (int i = 0; i < stolenNs.length; i++) {
                stolenNs[i].add(nowNs, file.stolenNs(i));
            }
        }
    }

    /** Returns the steal time of the CPU that lost most in the interval, ms; -1 if unknown. */
    public double stolenMsIn(Interval interval) {
        double most = CounterHistory.UNKNOWN;
        for (CounterHistory processor : stolenNs) {
            most = Math.max(most, processor.millisecondsIn(interval, 1));
        }
        return most;
    }
}
