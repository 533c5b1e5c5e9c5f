package org.naklab.lab.instruments.linux;

import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes daemon threads with the first of some priorities that this machine grants: for threads that run for microseconds at a time. On a
 * machine whose processors all spin, a normal thread would be as late as what it is to measure. Threads that such a thread starts
 * do not inherit the priority.
 */
public final class PriorityThreadFactory implements ThreadFactory {
    private final List<ThreadPriority> wanted;
    private volatile @Nullable ThreadPriority granted;

    public PriorityThreadFactory(ThreadPriority... wanted) {
        this.wanted = List.of(wanted);
    }

    @Override
    public Thread newThread(Runnable body) {
        Thread thread = new Thread(() -> {
            granted = wanted.stream().filter(ThreadPriority::take).findFirst().orElse(null);
            body.run();
        });
        thread.setDaemon(true);
        return thread;
    }

    /** Describes the priority of the last thread that started. */
    public String describe() {
        ThreadPriority priority = granted;
        return priority == null ? "without any priority (CAP_SYS_NICE)" : priority.describe();
    }
}
