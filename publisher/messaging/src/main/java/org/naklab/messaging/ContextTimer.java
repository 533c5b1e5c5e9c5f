package org.naklab.messaging;

/** A task that is due at each multiple of its interval; multiples that a stall ran over are skipped. */
final class ContextTimer {
    private final long intervalNs;
    private final Runnable task;
    private long deadlineNs;

    ContextTimer(long intervalNs, long nowNs, Runnable task) {
        if (intervalNs <= 0) {
            throw new IllegalArgumentException("timer interval must be positive: " + intervalNs + " ns");
        }
        this.intervalNs = intervalNs;
        this.task = task;
        this.deadlineNs = nowNs + intervalNs;
    }

    int poll(long nowNs) {
        if (nowNs - deadlineNs < 0) {
            return 0;
        }
        deadlineNs += ((nowNs - deadlineNs) / intervalNs + 1) * intervalNs;
        task.run();
        return 1;
    }
}
