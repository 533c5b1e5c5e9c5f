package org.naklab.lab.tools.jitter;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.naklab.lab.core.timeline.Interval;

/**
 * Makes safepoints of a given length in this JVM, again and again: one thread is on a long way to its next safepoint, such as the copy of an array, while another
 * one asks for a VM operation.
 */
final class Laggard {
    /** The VM operation that is asked for, as JFR names it. */
    static final String OPERATION = "FindDeadlocks";

    private static final int TRIAL_UNITS = 1 << 20;
    private static final int TRIALS = 200;
    private static final int LEAST_UNITS = 1_000;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(23);

    private final List<Interval> made = new ArrayList<>();
    private final IntFunction<LongWay> ways;
    private final long lengthNs;
    private volatile boolean isWanted;
    private volatile int begun;
    private volatile int ended;
    private volatile boolean isEnded;

    /**
     * @param ways makes a way of at most so many units
     * @param lengthNs of each pause, about, ns
     */
    Laggard(IntFunction<LongWay> ways, long lengthNs) {
        this.ways = ways;
        this.lengthNs = lengthNs;
    }

    private double unitsPerNs() {
        LongWay way = ways.apply(TRIAL_UNITS);
        long fastestNs = Long.MAX_VALUE;
        for (int i = 0; i < TRIALS; i++) {
            long beginNs = System.nanoTime();
            way.go(TRIAL_UNITS);
            fastestNs = Math.min(fastestNs, System.nanoTime() - beginNs);
        }
        return TRIAL_UNITS / (double) Math.max(1, fastestNs);
    }

    /**
     * Makes a pause every 23 ms until {@link #end}.
     *
     * @param fromNs the first, CLOCK_MONOTONIC in ns
     */
    void run(long fromNs) {
        int units = Math.toIntExact(Math.max(LEAST_UNITS, Math.round(lengthNs * unitsPerNs())));
        Thread late = new Thread(() -> goOn(ways.apply(units), units), "jitter-laggard");
        late.setDaemon(true);
        late.start();
        long dueNs = fromNs;
        while (!isEnded) {
            long remainingNs = dueNs - System.nanoTime();
            if (remainingNs > 0) {
                LockSupport.parkNanos(remainingNs);
            } else {
                pause(late);
                dueNs += PERIOD_NS;
            }
        }
        LockSupport.unpark(late);
    }

    private void pause(Thread late) {
        int before = begun;
        isWanted = true;
        LockSupport.unpark(late);
        while (begun == before) {
            // It may have ended before it saw the request.
            if (!late.isAlive()) {
                return;
            }
            Thread.onSpinWait();
        }
        long beginNs = System.nanoTime();
        ManagementFactory.getThreadMXBean().findDeadlockedThreads();
        long endNs = System.nanoTime();
        while (ended == before) {
            Thread.onSpinWait();
        }
        if (endNs - beginNs >= lengthNs / 2) {
            made.add(new Interval(beginNs, endNs));
        }
    }

    private void goOn(LongWay way, int units) {
        while (!isEnded) {
            if (isWanted) {
                isWanted = false;
                int round = begun + 1;
                begun = round;
                way.go(units);
                ended = round;
            } else {
                LockSupport.park(this);
            }
        }
    }

    void end() {
        isEnded = true;
    }

    /** Returns the pauses, each from the request to its end; to be called when {@link #run} has returned. */
    List<Interval> made() {
        return made;
    }
}
