package org.naklab.lab.tools.threads;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/** Bytes that one thread has allocated on the heap since this was made. */
public final class ThreadAllocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long threadId;
    private final long beginBytes;

    private ThreadAllocation(long threadId) {
        this.threadId = threadId;
        beginBytes = THREADS.getThreadAllocatedBytes(threadId);
    }

    /**
     * Looks a live thread up by name.
     *
     * @throws IllegalStateException when there is none
     */
    public static ThreadAllocation of(String threadName) {
        for (ThreadInfo info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (info != null && info.getThreadName().equals(threadName)) {
                return new ThreadAllocation(info.getThreadId());
            }
        }
        throw new IllegalStateException("no thread is named " + threadName);
    }

    public long bytes() {
        return THREADS.getThreadAllocatedBytes(threadId) - beginBytes;
    }
}
