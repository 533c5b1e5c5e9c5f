package org.naklab.lab.instruments.threads;

import java.nio.file.Path;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.AsciiScanner;
import org.naklab.lab.instruments.linux.ProcFile;

/**
 * The kernel's statistics of a thread, read repeatedly without allocation.
 *
 * <pre>
 * stat       pid (name) state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt …
 * schedstat  time on a processor in ns, time waiting for one in ns, times put on one
 * </pre>
 */
public final class ThreadStat implements AutoCloseable {
    private static final int WORDS_FROM_STATE_TO_MINOR_FAULTS = 6;

    private final ProcFile stat;
    private final ProcFile schedstat;
    private final AsciiScanner statScanner;
    private final AsciiScanner schedScanner;
    private char state = '?';
    private long minorFaults;
    private long majorFaults;
    private long cpuNs;
    private long runDelayNs;
    private long timesRun;
    private long stateCpuNs;
    private long stateTimesRun;

    private ThreadStat(ProcFile stat, ProcFile schedstat) {
        this.stat = stat;
        this.schedstat = schedstat;
        statScanner = new AsciiScanner(stat.view());
        schedScanner = new AsciiScanner(schedstat.view());
    }

    /**
     * Opens the statistics of a thread of a process.
     *
     * @throws DetectException there is no such thread
     */
    public static ThreadStat open(long pid, int tid) {
        return open(ProcPaths.of(pid, "task", Integer.toString(tid)));
    }

    /**
     * Opens the statistics in a directory below {@code /proc}, or in any directory with the two files.
     *
     * @throws DetectException there is no such thread, or the kernel keeps no such figures
     */
    public static ThreadStat open(Path task) {
        ProcFile stat = ProcFile.open(task.resolve("stat"), 1024);
        try {
            return new ThreadStat(stat, ProcFile.open(task.resolve("schedstat"), 128));
        } catch (DetectException e) {
            stat.close();
            throw e;
        }
    }

    /** Reads the figures; false when the thread has ended. */
    public boolean read() {
        return readSchedule() && readState();
    }

    /** Reads the time on a CPU and the time of waiting for one; returns false if the thread has ended. */
    public boolean readSchedule() {
        int length = schedstat.read();
        if (length <= 0) {
            return false;
        }
        schedScanner.reset(0, length);
        cpuNs = schedScanner.nextLong();
        runDelayNs = schedScanner.nextLong();
        timesRun = schedScanner.nextLong();
        return true;
    }

    /** State and faults, of which the kernel has more to print; false when the thread has ended. */
    public boolean readState() {
        int statLength = stat.read();
        if (statLength <= 0) {
            return false;
        }
        statScanner.reset(0, statLength).skipLast(')').skipBlanks();
        state = (char) statScanner.peek();
        minorFaults =
                statScanner.skipWords(1 + WORDS_FROM_STATE_TO_MINOR_FAULTS).nextLong();
        majorFaults = statScanner.skipWords(1).nextLong();
        stateCpuNs = cpuNs;
        stateTimesRun = timesRun;
        return true;
    }

    /**
     * Returns true if state and faults may have changed: a thread has to run to change them. Call {@link #readSchedule}
     * first.
     */
    boolean mayStateHaveChanged() {
        return state == 'R' || cpuNs != stateCpuNs || timesRun != stateTimesRun;
    }

    /** Returns the letter of the state at the last {@link #readState}, as in {@code /proc/PID/stat}. */
    public char state() {
        return state;
    }

    /** Waiting without regard to signals: for a disk, or for a page to come from one. */
    boolean isBlocked() {
        return state == 'D';
    }

    /** Returns true if the thread waits until an event or a signal arrives. */
    boolean isAsleep() {
        return state == 'S';
    }

    /** Returns true if the thread was stopped by a signal or a tracer. */
    boolean isStopped() {
        return state == 'T' || state == 't';
    }

    /** Returns true if a tracer stopped the thread. */
    boolean isTraced() {
        return state == 't';
    }

    long minorFaults() {
        return minorFaults;
    }

    /** Returns the page faults so far that had to wait for a disk. */
    public long majorFaults() {
        return majorFaults;
    }

    /** Nanoseconds on a processor so far. */
    public long cpuNs() {
        return cpuNs;
    }

    /** Returns the time for which the thread was runnable and did not run, ns; grows when the wait ends. */
    public long runDelayNs() {
        return runDelayNs;
    }

    /** Returns how often the thread was scheduled on a processor. */
    public long timesRun() {
        return timesRun;
    }

    @Override
    public void close() {
        stat.close();
        schedstat.close();
    }
}
