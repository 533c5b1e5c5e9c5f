package org.naklab.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Major page faults of one thread, and how long it waited for a processor that others had, over the last while, from proc(5).
 * Sampled by one thread; watched from another.
 */
final class ThreadFaults {
    private static final Path SELF = Path.of("/proc/thread-self");
    /** Fields of stat(5) after the name's closing parenthesis; majflt is the twelfth of all, state the third. */
    private static final int MAJOR_FAULTS = 9;
    /** Fields of schedstat: time on a processor, time waiting on a run queue, time slices; in nanoseconds. */
    private static final int RUN_QUEUE_WAIT = 1;

    private final ThreadHistory faults = new ThreadHistory();
    private final ThreadHistory waitsNs = new ThreadHistory();
    private volatile @Nullable Path thread;

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

    void sample() {
        Path directory = thread;
        if (directory == null) {
            return;
        }
        try {
            String stat = Files.readString(directory.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            faults.add(System.nanoTime(), Long.parseLong(fields[MAJOR_FAULTS]));
            String[] times =
                    Files.readString(directory.resolve("schedstat")).strip().split(" ", -1);
            waitsNs.add(System.nanoTime(), Long.parseLong(times[RUN_QUEUE_WAIT]));
        } catch (IOException e) {
            // The thread has ended, or the kernel keeps no such figure: the history ends here.
            return;
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
