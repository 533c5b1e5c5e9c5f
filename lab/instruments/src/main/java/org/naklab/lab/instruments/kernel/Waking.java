package org.naklab.lab.instruments.kernel;

import java.util.List;
import java.util.Set;
import org.naklab.lab.core.timeline.ThreadAbsence;

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
    /** Functions of the kernel in which a thread that releases a lock wakes the next one. */
    private static final Set<String> UNLOCKING =
            Set.of("rwsem_wake", "__mutex_unlock_slowpath", "rt_mutex_slowunlock", "__up", "percpu_up_write");

    /** How the functions begin in which a thread reads or writes a pipe, or closes it. */
    private static final List<String> OF_PIPES = List.of("pipe_", "anon_pipe_", "fifo_pipe_");

    /** How the functions begin in which each thread of the kernel itself runs. */
    private static final List<String> OF_KERNEL_THREADS = List.of("kthread", "worker_thread", "ret_from_fork");

    private static final List<String> OF_TERMINALS = List.of("n_tty_", "tty_", "pty_", "file_tty_");

    /** Copies the stack. */
    public Waking {
        kernelStack = List.copyOf(kernelStack);
    }

    Waking(long timeNs, TaskId waker, boolean byInterrupt, List<String> kernelStack) {
        this(timeNs, waker, byInterrupt, 0, kernelStack);
    }

    /** Returns what the waker did, so that the wait ended: of a wait in poll, select or epoll, that tells what it was for. */
    ThreadAbsence.Ending ending() {
        if (byInterrupt) {
            return ThreadAbsence.Ending.UNKNOWN;
        }
        if (isUnlocking()) {
            return isIn(OF_KERNEL_THREADS) ? ThreadAbsence.Ending.UNLOCK_BY_KERNEL : ThreadAbsence.Ending.UNLOCK;
        }
        if (isIn(OF_PIPES)) {
            return ThreadAbsence.Ending.PIPE;
        }
        return isIn(OF_TERMINALS) ? ThreadAbsence.Ending.TERMINAL : ThreadAbsence.Ending.UNKNOWN;
    }

    private boolean isIn(List<String> beginnings) {
        return kernelStack.stream().anyMatch(function -> beginnings.stream().anyMatch(function::startsWith));
    }

    /** Returns whether the waker released a lock of the kernel. The functions that wait for such a lock are not in a thread's stack: the kernel leaves them out, with those of the scheduler. */
    boolean isUnlocking() {
        return kernelStack.stream().map(Waking::baseName).anyMatch(UNLOCKING::contains);
    }

    /** A compiler adds a suffix to the name of a function that it has changed, such as {@code .constprop.0}. */
    private static String baseName(String function) {
        int dot = function.indexOf('.');
        return dot < 0 ? function : function.substring(0, dot);
    }
}
