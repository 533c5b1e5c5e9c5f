package org.naklab.lab.instruments.linux;

import org.naklab.lab.core.Units;

/**
 * Sleeps until a time by {@code clock_nanosleep}, as cyclictest does: one system call on an absolute deadline, somewhat cheaper than a
 * timed park with its mutex and condition. An interrupt does not wake it; meant for a millisecond or so. One thread.
 *
 * <pre>
 * timespec: 0 seconds:64  8 nanoseconds:64
 * </pre>
 */
public final class DeadlineSleeper {
    private static final int CLOCK_MONOTONIC = 1;
    private static final int TIMER_ABSTIME = 1;

    private final NativeMemory time = new NativeMemory(16);

    /** Returns at the deadline, by {@link System#nanoTime()}, or after a signal before it. */
    public void sleepUntil(long deadlineNs) {
        time.view().putLong(0, deadlineNs / Units.SECOND_NS);
        time.view().putLong(8, deadlineNs % Units.SECOND_NS);
        Libc.clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, time.address(), 0);
    }
}
