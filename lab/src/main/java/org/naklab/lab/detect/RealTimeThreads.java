package org.naklab.lab.detect;

import java.util.concurrent.ThreadFactory;

/**
 * Makes daemon threads with the lowest real-time priority, where that is permitted (it takes CAP_SYS_NICE): for threads that run for
 * microseconds once a millisecond. On a machine whose processors all spin, a normal thread would be as late as what it is to measure;
 * cyclictest does the same. Threads that such a thread starts do not inherit the priority.
 *
 * <pre>
 * sched_param: 0 priority:32
 * </pre>
 */
final class RealTimeThreads implements ThreadFactory {
    private static final int SCHED_FIFO = 1;
    private static final int SCHED_RESET_ON_FORK = 0x40000000;
    private static final int LOWEST_PRIORITY = 1;

    private volatile boolean granted;

    @Override
    public Thread newThread(Runnable body) {
        Thread thread = new Thread(() -> {
            granted = raiseCallingThread();
            body.run();
        });
        thread.setDaemon(true);
        return thread;
    }

    /** Whether the last thread that started has the priority. */
    boolean isGranted() {
        return granted;
    }

    /** For descriptions. */
    String describe() {
        return granted ? "with real-time priority" : "without real-time priority (CAP_SYS_NICE)";
    }

    private static boolean raiseCallingThread() {
        NativeMemory parameter = new NativeMemory(Integer.BYTES);
        parameter.view().putInt(0, LOWEST_PRIORITY);
        return Libc.sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, parameter.address()) == 0;
    }
}
