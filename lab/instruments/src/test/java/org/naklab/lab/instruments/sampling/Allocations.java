package org.naklab.lab.instruments.sampling;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures what a piece of code allocates on the heap. */
public final class Allocations {
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 5;

    private Allocations() {}

    /** Bytes that {@code times} runs allocate, in the best of some rounds: the compiler's own doings are not the code's. */
    public static long bytesOf(int times, Runnable code) {
        for (int i = 0; i < Math.min(WARM_UP, times); i++) {
            code.run();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < times; i++) {
                code.run();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        return least;
    }
}
