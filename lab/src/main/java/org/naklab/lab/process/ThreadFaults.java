package org.naklab.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.detect.DetectException;
import org.naklab.lab.detect.ThreadFigures;

/**
 * Major page faults of one thread, and how long it waited for a processor that others had, over the last while, from proc(5).
 * Sampled by one thread; watched from another.
 */
final class ThreadFaults {
    private static final Path SELF = Path.of("/proc/thread-self");
    private final ThreadHistory faults = new ThreadHistory();
    private final ThreadHistory waitsNs = new ThreadHistory();
    private volatile @Nullable Path thread;
    private @Nullable ThreadFigures figures;
    private boolean isGone;

    /** From now on the calling thread is the one. */
    void watchCurrentThread() {
        if (thread != null || !Files.exists(SELF)) {
            return;
        }
        try {
            thread = Path.of("/proc").resolve(Files.readSymbolicLink(SELF));
        } catch (IOException e) {
            // Stays unknown, and is reported as such.
            thread = null;
        }
    }

    /** Allocates nothing but at the first call: a collection of this JVM's would be a stall of the lab's own making. */
    void sample() {
        Path directory = thread;
        if (directory == null || isGone) {
            return;
        }
        try {
            ThreadFigures current = figures == null ? ThreadFigures.open(directory) : figures;
            figures = current;
            isGone = !current.read();
            if (!isGone) {
                long nowNs = System.nanoTime();
                faults.add(nowNs, current.majorFaults());
                waitsNs.add(nowNs, current.runDelayNs());
            }
        } catch (DetectException e) {
            // The kernel keeps no such figure: the history ends here, and tells that nothing is known.
            isGone = true;
        }
    }

    /** Faults from the last sample before that time until the newest sample; -1 when nothing is known. */
    long since(long beginNs) {
        return faults.growthSince(beginNs);
    }

    /** How long it was ready to run in that time and did not, likewise. */
    long waitNsSince(long beginNs) {
        return waitsNs.growthSince(beginNs);
    }
}
