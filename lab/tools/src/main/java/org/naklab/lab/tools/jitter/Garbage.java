package org.naklab.lab.tools.jitter;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Allocates at a rate, and keeps a part of it for a while, so that collections have something to copy. */
final class Garbage {
    private static final int CHUNK_BYTES = 256;
    private static final int CHUNKS_PER_BATCH = 400;
    private static final int KEPT = 40_000;
    private static final double BYTES_PER_MB = 1e6;

    private final byte[][] kept = new byte[KEPT][];
    private final long periodNs;
    private volatile boolean isEnded;

    /** @param mbPerS MB a second, at least 1 */
    Garbage(int mbPerS) {
        periodNs = Math.max(
                1, Math.round(TimeUnit.SECONDS.toNanos(1) * CHUNK_BYTES * CHUNKS_PER_BATCH / (mbPerS * BYTES_PER_MB)));
    }

    /** Allocates until {@link #end}. */
    void run() {
        long dueNs = System.nanoTime();
        int next = 0;
        while (!isEnded) {
            for (int i = 0; i < CHUNKS_PER_BATCH; i++) {
                kept[next] = new byte[CHUNK_BYTES];
                next = (next + 1) % KEPT;
            }
            dueNs += periodNs;
            LockSupport.parkNanos(Math.max(0, dueNs - System.nanoTime()));
        }
    }

    void end() {
        isEnded = true;
    }
}
