package org.naklab.lab.core.timeline;

import java.util.List;

/**
 * Describes for what a thread waited before it woke another one: the holder of a lock that waited for a disk.
 *
 * @param durationNs the part of the other thread's wait that this one was off the CPU, ns
 * @param state why it left the CPU
 * @param waker name of the thread that woke this one; empty if unknown, or if an interrupt did
 * @param kernelStack functions, innermost first; empty if unknown
 */
public record WakerWait(long durationNs, ThreadAbsence.State state, String waker, List<String> kernelStack) {
    /** Copies the stack. */
    public WakerWait {
        kernelStack = List.copyOf(kernelStack);
    }

    /** Returns whether the thread was runnable, and had no CPU. */
    public boolean isWithoutCpu() {
        return state.isWithoutCpu();
    }
}
