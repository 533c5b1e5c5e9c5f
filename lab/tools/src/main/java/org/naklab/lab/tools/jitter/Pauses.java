package org.naklab.lab.tools.jitter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.linux.PriorityThreadFactory;
import org.naklab.lab.instruments.linux.ProcessSignals;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.instruments.linux.ThreadPriority;

/** Makes pauses of the meter from outside: each {@value #PERIOD_MS} ms one. */
final class Pauses implements AutoCloseable {
    static final String THREAD = "jitter-burner";

    private static final long PERIOD_MS = 23;
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final List<Interval> made = new ArrayList<>();
    private final Injection injection;
    private final long pid;
    private final int cpu;
    private final Thread thread;
    private volatile boolean isEnded;

    private Pauses(Injection injection, long pid, int cpu) {
        this.injection = injection;
        this.pid = pid;
        this.cpu = cpu;
        thread = new PriorityThreadFactory(ThreadPriority.REAL_TIME).newThread(this::run);
        thread.setName(THREAD);
    }

    /**
     * Starts them.
     *
     * @param pid of the meter's process
     * @param cpu of its receiving thread; -1: any
     */
    static Pauses start(Injection injection, long pid, int cpu) {
        Pauses pauses = new Pauses(injection, pid, cpu);
        if (injection.kind() == Injection.Kind.PREEMPTION || injection.kind() == Injection.Kind.STOP) {
            pauses.thread.start();
        }
        return pauses;
    }

    private void run() {
        if (injection.kind() == Injection.Kind.PREEMPTION) {
            ThreadAffinity.pin(cpu);
        }
        long dueNs = System.nanoTime();
        while (!isEnded) {
            long remainingNs = dueNs - System.nanoTime();
            if (remainingNs > 0) {
                LockSupport.parkNanos(remainingNs);
            } else {
                pause();
                dueNs += TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);
            }
        }
    }

    private void pause() {
        long beginNs = System.nanoTime();
        if (injection.kind() == Injection.Kind.STOP) {
            ProcessSignals.stopAndAwait(pid);
            beginNs = System.nanoTime();
            spin(beginNs);
            ProcessSignals.resume(pid);
        } else {
            spin(beginNs);
        }
        made.add(new Interval(beginNs, System.nanoTime()));
    }

    private void spin(long beginNs) {
        while (System.nanoTime() - beginNs < injection.lengthNs()) {
            Thread.onSpinWait();
        }
    }

    /** Returns the pauses; to be called after {@link #close}. */
    List<Interval> made() {
        return made;
    }

    /** Returns after the last pause. */
    @Override
    public void close() {
        isEnded = true;
        LockSupport.unpark(thread);
        try {
            thread.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
