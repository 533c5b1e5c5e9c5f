package org.naklab.lab.detect;

/**
 * Real-time priority for a thread that runs for microseconds once a millisecond: on a machine whose processors all spin, a normal
 * thread would be as late as what it measures. cyclictest does the same.
 *
 * <pre>
 * sched_param: 0 priority:32
 * </pre>
 */
final class RealTime {
    private static final int SCHED_FIFO = 1;
    private static final int LOWEST_PRIORITY = 1;

    private RealTime() {}

    /** Asks for it for the calling thread; false when that is not permitted (it takes CAP_SYS_NICE). */
    static boolean raiseCallingThread() {
        NativeMemory parameter = new NativeMemory(Integer.BYTES);
        parameter.view().putInt(0, LOWEST_PRIORITY);
        return Libc.sched_setscheduler(0, SCHED_FIFO, parameter.address()) == 0;
    }
}
