package org.naklab.lab.instruments.linux;

/**
 * Priorities above the default; each needs CAP_SYS_NICE.
 *
 * <pre>
 * sched_param: 0 priority:32
 * </pre>
 */
public enum ThreadPriority {
    /**
     * The greatest weight and the shortest slice of a normal thread: as punctual beside other normal threads as one at real-time priority, and
     * cheaper. It is late beside real-time threads. Linux 6.12 or later, and the native library.
     */
    SHORT_SLICE("with a short slice") {
        @Override
        boolean take() {
            return NativeSampler.isAvailable() && NativeSampler.shortenSlice(SLICE_NS) == 0;
        }
    },

    /** The lowest real-time priority, as cyclictest has it. */
    REAL_TIME("with real-time priority") {
        @Override
        boolean take() {
            NativeMemory parameter = new NativeMemory(Integer.BYTES);
            parameter.view().putInt(0, LOWEST_PRIORITY);
            return Libc.sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, parameter.address()) == 0;
        }
    };

    private static final int SCHED_FIFO = 1;
    private static final int SCHED_RESET_ON_FORK = 0x40000000;
    private static final int LOWEST_PRIORITY = 1;

    /** The shortest that the kernel grants. */
    private static final long SLICE_NS = 100_000;

    private final String description;

    ThreadPriority(String description) {
        this.description = description;
    }

    /** Applies the priority to the calling thread; returns whether that succeeded. */
    abstract boolean take();

    String describe() {
        return description;
    }
}
