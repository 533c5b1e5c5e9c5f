package org.naklab.lab.tools.linking;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * Says where the wall time of each thread of a program went, its system calls, and the locks for which its threads waited.
 *
 * @param threads the longest first
 * @param systemCalls of all threads together, the longest total first
 * @param locks for which a thread waited, the longest total first
 * @param conditions waits for words that are not known to be locks, and that another thread ended
 * @param lost threads, calls or locks that found no room
 */
public record SystemAccount(
        List<ThreadAccount> threads, List<SystemCall> systemCalls, List<Lock> locks, Waits conditions, long lost) {
    /**
     * Is the life of one thread, from its start to its end, or the part of it in which it was recorded. The kernel's times of its start and its end give its
     * length; the parts add up to that.
     *
     * @param seconds of its life
     */
    public record ThreadAccount(String name, int pid, int tid, double seconds, Parts parts) {}

    /**
     * Is what a thread did all the time, seconds each.
     *
     * @param onProcessor it ran
     * @param runnable it was ready to run, and the processors were busy with others
     * @param pageFault it waited for a page outside of a system call
     * @param lock it waited in futex, flock, fcntl or semop
     * @param disk it was blocked in another system call, uninterruptibly
     * @param poll it waited in poll, select or epoll_wait
     * @param sleep it had asked to sleep or to pause
     * @param other it waited for anything else: a socket, a pipe, a child, a signal to go on
     */
    public record Parts(
            double onProcessor,
            double runnable,
            double pageFault,
            double lock,
            double disk,
            double poll,
            double sleep,
            double other) {}

    /**
     * Is one system call, of all threads.
     *
     * @param errors calls that failed
     */
    public record SystemCall(
            String name,
            long calls,
            long errors,
            @JsonUnwrapped Times times) {
        /**
         * Contains the times of the calls, s.
         *
         * @param seconds from the entry to the return of all calls; {@code waitingSeconds} and {@code cpuSeconds} add up to it
         * @param waitingSeconds without a processor
         */
        public record Times(
                double seconds, double meanSeconds, double longestSeconds, double waitingSeconds, double cpuSeconds) {}
    }

    /**
     * Is one lock for which a thread waited in {@code futex}: a mutex of glibc or musl, or one with priority inheritance.
     *
     * @param pid of the process whose threads waited
     * @param address of the word, as that process sees it
     * @param holder the thread that held it for most of the time of the waits, with its id; empty if unknown
     * @param longestWaiter the thread of the longest wait, with its id
     */
    public record Lock(
            int pid,
            String address,
            String holder,
            String longestWaiter,
            @JsonUnwrapped Waits waits) {}

    /**
     * Counts the waits in {@code futex} in which a thread left its processor.
     *
     * @param seconds from the entry to the return of all waits; of one that did not return, to the end of its thread or of the recording
     */
    public record Waits(long waits, double seconds, double longestSeconds) {}
}
