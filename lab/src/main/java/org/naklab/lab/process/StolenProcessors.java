package org.naklab.lab.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.detect.DetectException;
import org.naklab.lab.detect.StolenTime;

/**
 * For how long a hypervisor had taken processors away from this machine: a thread to which that happens waits for none, by the
 * guest kernel's account, and yet does not run. Each processor counts for itself: what two of them lose at the same time no thread loses
 * twice.
 */
final class StolenProcessors {
    private static final Path STAT = Path.of("/proc/stat");

    /** Steal is told in hundredths of a second: ten seconds of nothing else. */
    private static final int CHANGES = 1 << 10;

    private final @Nullable StolenTime file;
    private final ThreadHistory[] stolenNs;

    StolenProcessors() {
        this(STAT);
    }

    /** @param stat {@code /proc/stat} or a file like it */
    StolenProcessors(Path stat) {
        file = open(stat);
        stolenNs = IntStream.range(0, file == null ? 0 : file.processors())
                .mapToObj(processor -> new ThreadHistory(CHANGES))
                .toArray(ThreadHistory[]::new);
    }

    private static @Nullable StolenTime open(Path stat) {
        try {
            return Files.isReadable(stat) ? new StolenTime(stat) : null;
        } catch (DetectException e) {
            return null;
        }
    }

    /** Allocates nothing. */
    void sample() {
        if (file != null && file.read()) {
            long nowNs = System.nanoTime();
            for (int i = 0; i < stolenNs.length; i++) {
                stolenNs[i].add(nowNs, file.stolenNs(i));
            }
        }
    }

    /**
     * Of the processor that lost most, from the last sample before that time until the newest; {@link ThreadHistory#UNKNOWN} when the machine
     * does not tell.
     */
    long stolenNsSince(long beginNs) {
        long most = ThreadHistory.UNKNOWN;
        for (ThreadHistory processor : stolenNs) {
            most = Math.max(most, processor.growthSince(beginNs));
        }
        return most;
    }
}
