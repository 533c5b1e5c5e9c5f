package org.naklab.lab.replica.monitor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.CpuSteal;

/**
 * For how long a hypervisor had taken processors away from this machine: a thread to which that happens waits for none, by the
 * guest kernel's account, and yet does not run. Each processor counts for itself: what two of them lose at the same time no thread loses
 * twice.
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
        if (file != null && file.read()) {
            long nowNs = System.nanoTime();
            for (int i = 0; i < stolenNs.length; i++) {
                stolenNs[i].add(nowNs, file.stolenNs(i));
            }
        }
    }

    /**
     * Of the processor that lost most, from the last sample before that time until the newest; {@link CounterHistory#UNKNOWN} when the machine
     * does not tell.
     */
    public long stolenNsSince(long beginNs) {
        long most = CounterHistory.UNKNOWN;
        for (CounterHistory processor : stolenNs) {
            most = Math.max(most, processor.growthSince(beginNs));
        }
        return most;
    }
}
