package org.naklab.lab.instruments.kernel;

import java.util.List;

/**
 * Describes what made a waiting thread runnable.
 *
 * @param timeNs when, ns
 * @param waker the thread that was on the processor which woke; the holder of a lock if it released the lock
 * @param byInterrupt an interrupt woke, such as a timer's: then the waker only happened to run there
 * @param dueNs if a timer woke, the earliest time at which it was to expire, ns; 0: no timer, or unknown, as timers are looked at only together with interrupts
 * @param kernelStack what the waker's processor did, innermost first; empty if not taken
 */
public record Waking(long timeNs, TaskId waker, boolean byInterrupt, long dueNs, List<String> kernelStack) {
    /** Copies the stack. */
    public Waking {
        kernelStack = List.copyOf(kernelStack);
    }

    Waking(long timeNs, TaskId waker, boolean byInterrupt, List<String> kernelStack) {
        this(timeNs, waker, byInterrupt, 0, kernelStack);
    }
}
