package org.naklab.lab.instruments.kernel;

import java.util.List;
import org.naklab.lab.core.Units;

/**
 * Sets what the kernel recorder reports.
 *
 * @param absenceNs absences as long as this and longer are reported
 * @param faultNs page faults as long as this and longer are reported
 * @param stackPages pages of 4 KiB of the user stack that are copied at each switch, 0 to 4; 0: no user stacks
 * @param deferred whether the files of the recorded processes are read only when the recorder ends, so that their pages do not come into memory before.
 *     Absences and page faults arrive then
 * @param port UDP port whose arriving datagrams are counted by sender; 0: none
 * @param threads names of the threads whose user stacks and page faults are recorded, as the kernel has them, of up to 15 bytes; empty: those of all threads. Of
 *     another thread, absences of at least twice that length are recorded if it woke a thread with such a name afterwards, and without user stacks; by
 *     {@link RecorderSource#PROC} they are not recorded at all
 * @param interruptNs interrupts of these threads as long as this and longer are reported, and so is what the hypervisor took from them; 0: none are.
 *     {@link RecorderSource#PROC} reports none
 * @param sampling how often the stack of each of these threads is recorded while it is on a processor. {@link RecorderSource#PROC} records none
 * @param deliveries whether the datagrams are counted that reach each socket of the port, of whatever process
 * @param following whether another port may be named while the recorder works
 */
public record RecorderSettings(
        long absenceNs,
        long faultNs,
        int stackPages,
        boolean deferred,
        int port,
        List<String> threads,
        long interruptNs,
        Sampling sampling,
        boolean deliveries,
        boolean following) {
    /** Absences of 5 ms, page faults of 1 ms, two pages of stack. */
    public static final RecorderSettings DEFAULT = new RecorderSettings(5_000_000L, 1_000_000L, 2, false, List.of());

    /**
     * Sets how the stacks of running threads are recorded.
     *
     * @param periodNs of the processor time of each thread, ns; 0: never
     * @param ofUser whether the user stack is recorded as well; that of a JVM takes long to resolve
     */
    public record Sampling(long periodNs, boolean ofUser) {
        /** No stacks of running threads. */
        public static final Sampling NONE = new Sampling(0, false);

        /** Checks the range. */
        public Sampling {
            if (periodNs < 0) {
                throw new IllegalArgumentException("a negative period: " + periodNs);
            }
        }

        long periodUs() {
            return periodNs / Units.US_NS;
        }
    }

    /** Checks the ranges. */
    public RecorderSettings {
        if (absenceNs < Units.US_NS || faultNs < Units.US_NS || stackPages < 0 || stackPages > 4 || interruptNs < 0) {
            throw new IllegalArgumentException(
                    "at least 1 us, and 0 to 4 pages: " + absenceNs + ", " + faultNs + ", " + stackPages);
        }
        threads = List.copyOf(threads);
    }

    /**
     * Returns settings for a few threads that never wait by themselves: all that keeps them for a while, without stacks.
     *
     * @param leastNs absences, page faults and interrupts as long as this and longer are reported, ns
     * @param names of the threads
     */
    public static RecorderSettings ofShortTimes(long leastNs, List<String> names) {
        return new RecorderSettings(leastNs, leastNs, 0, false, 0, names, leastNs, Sampling.NONE, false, false);
    }

    /** Creates settings under which no arriving datagrams are counted. */
    public RecorderSettings(long absenceNs, long faultNs, int stackPages, boolean deferred, List<String> threads) {
        this(absenceNs, faultNs, stackPages, deferred, 0, threads, 0, Sampling.NONE, false, false);
    }

    /** Returns the same with user stacks, and interrupts, of threads with these names only. */
    public RecorderSettings ofThreads(List<String> names) {
        return new RecorderSettings(
                absenceNs, faultNs, stackPages, deferred, port, names, interruptNs, sampling, deliveries, following);
    }

    /** Returns the same with the datagrams counted that arrive for a port. */
    public RecorderSettings ofPort(int watched) {
        return new RecorderSettings(
                absenceNs,
                faultNs,
                stackPages,
                deferred,
                watched,
                threads,
                interruptNs,
                sampling,
                deliveries,
                following);
    }

    /** Returns the same with the interrupts of the named threads, from that length on, ns; 0: none. */
    public RecorderSettings withInterrupts(long leastNs) {
        return new RecorderSettings(
                absenceNs, faultNs, stackPages, deferred, port, threads, leastNs, sampling, deliveries, following);
    }

    /** Returns the same with the stacks of threads that run. */
    public RecorderSettings withSamples(Sampling other) {
        return new RecorderSettings(
                absenceNs, faultNs, stackPages, deferred, port, threads, interruptNs, other, deliveries, following);
    }

    /** Returns the same with or without the datagrams counted that reach each socket of the port. */
    public RecorderSettings withDeliveries(boolean areCounted) {
        return new RecorderSettings(
                absenceNs, faultNs, stackPages, deferred, port, threads, interruptNs, sampling, areCounted, following);
    }

    /** Returns the same with a port that may change, and with the datagrams counted that reach each socket of it. */
    public RecorderSettings asFollowing() {
        return new RecorderSettings(
                absenceNs, faultNs, stackPages, deferred, port, threads, interruptNs, sampling, true, true);
    }

    /** Returns the same without reading files of the processes before the end. */
    public RecorderSettings asDeferred() {
        return new RecorderSettings(
                absenceNs, faultNs, stackPages, true, port, threads, interruptNs, Sampling.NONE, deliveries, following);
    }

    long absenceUs() {
        return absenceNs / Units.US_NS;
    }

    long interruptUs() {
        return interruptNs / Units.US_NS;
    }

    long faultUs() {
        return faultNs / Units.US_NS;
    }
}
