package org.naklab.lab.process;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.detect.DetectException;
import org.naklab.lab.detect.StolenTime;

/**
 * For how long a hypervisor had taken processors away from this machine: a thread to which that happens waits for none, by the
 * guest kernel's account, and yet does not run.
 */
final class StolenProcessors {
    private static final Path STAT = Path.of("/proc/stat");

    private final ThreadHistory stolenNs = new ThreadHistory();
    private final @Nullable StolenTime file = open();

    private static @Nullable StolenTime open() {
        try {
            return Files.isReadable(STAT) ? new StolenTime(STAT) : null;
        } catch (DetectException e) {
            return null;
        }
    }

    /** Allocates nothing. */
    void sample() {
        if (file != null && file.read()) {
            stolenNs.add(System.nanoTime(), file.stolenNs());
        }
    }

    /** From the last sample before that time until the newest; -1 when the machine does not tell. */
    long stolenNsSince(long beginNs) {
        return stolenNs.growthSince(beginNs);
    }
}
