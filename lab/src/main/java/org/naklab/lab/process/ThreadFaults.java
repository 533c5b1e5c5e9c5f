package org.naklab.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Major page faults of one thread over the last while, from proc(5). Sampled by one thread; watched from another. */
final class ThreadFaults {
    private static final Path SELF = Path.of("/proc/thread-self");
    /** Fields of stat(5) after the name's closing parenthesis; majflt is the twelfth of all, state the third. */
    private static final int MAJOR_FAULTS = 9;

    private static final int SAMPLES = 256;
    private static final long UNKNOWN = -1;

    private final long[] timesNs = new long[SAMPLES];
    private final long[] faults = new long[SAMPLES];
    private volatile @Nullable Path stat;
    private int count;

    /** From now on the calling thread is the one. */
    void watchCurrentThread() {
        if (stat != null || !Files.exists(SELF)) {
            return;
        }
        try {
            stat = Path.of("/proc").resolve(Files.readSymbolicLink(SELF)).resolve("stat");
        } catch (IOException e) {
            // Stays unknown, and is reported as such.
            stat = null;
        }
    }

    void sample() {
        long now = read();
        if (now != UNKNOWN) {
            timesNs[count % SAMPLES] = System.nanoTime();
            faults[count % SAMPLES] = now;
            count++;
        }
    }

    /** Faults from the last sample before that time until the newest sample; -1 when nothing is known. */
    long since(long beginNs) {
        if (count == 0) {
            return UNKNOWN;
        }
        int newest = count - 1;
        int before = newest;
        while (before > Math.max(0, count - SAMPLES) && timesNs[before % SAMPLES] - beginNs > 0) {
            before--;
        }
        return faults[newest % SAMPLES] - faults[before % SAMPLES];
    }

    private long read() {
        Path file = stat;
        if (file == null) {
            return UNKNOWN;
        }
        try {
            String text = Files.readString(file);
            return Long.parseLong(text.substring(text.lastIndexOf(')') + 2).split(" ", -1)[MAJOR_FAULTS]);
        } catch (IOException e) {
            // The thread has ended.
            return UNKNOWN;
        }
    }
}
