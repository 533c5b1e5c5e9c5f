package org.naklab.lab.tools.jitter;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Reads how much a thread has allocated. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /** Returns what the calling thread has allocated since it started, bytes. */
    static long ofThisThread() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
