package org.naklab.lab.bench.jitter;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.timeline.Interval;

/**
 * Makes safepoints of a given length in this JVM, again and again: one thread copies an array, which it cannot interrupt for a safepoint, while another
 * one asks for a VM operation.
 */
final class Laggard {
    private static final int TRIAL_BYTES = 1 << 20;
    private static final int TRIALS = 200;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(23);

    private final List<Interval> made = new ArrayList<>();
    private final long lengthNs;
    private volatile boolean isWanted;
    private volatile int begun;
    private volatile int ended;
    private volatile boolean isEnded;

    Laggard(long lengthNs) {
        this.lengthNs = lengthNs;
    }

    private static double bytesPerNs() {
        byte[] from = new byte[TRIAL_BYTES];
        byte[] to = new byte[TRIAL_BYTES];
        long fastestNs = Long.MAX_VALUE;
        for (int i = 0; i < TRIALS; i++) {
            long beginNs = System.nanoTime();
            System.arraycopy(from, 0, to, 0, TRIAL_BYTES);
            fastestNs = Math.min(fastestNs, System.nanoTime() - beginNs);
        }
        return TRIAL_BYTES / (double) Math.max(1, fastestNs);
    }

    /**
     * Makes a pause every 23 ms until {@link #end}.
     *
     * @param fromNs the first, CLOCK_MONOTONIC in ns
     */
    void run(long fromNs) {
        int bytes = Math.toIntExact(Math.max(TRIAL_BYTES, Math.round(lengthNs * bytesPerNs())));
        Thread copying = new Thread(() -> copy(new byte[bytes], new byte[bytes]), "jitter-laggard");
        copying.setDaemon(true);
        copying.start();
        long dueNs = fromNs;
        while (!isEnded) {
            long remainingNs = dueNs - System.nanoTime();
            if (remainingNs > 0) {
                LockSupport.parkNanos(remainingNs);
            } else {
                pause(copying);
                dueNs += PERIOD_NS;
            }
        }
        LockSupport.unpark(copying);
    }

    private void pause(Thread copying) {
        int before = begun;
        isWanted = true;
        LockSupport.unpark(copying);
        while (begun == before) {
            // It may have ended before it saw the request.
            if (!copying.isAlive()) {
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

    private void copy(byte[] source, byte[] target) {
        while (!isEnded) {
            if (isWanted) {
                isWanted = false;
                int round = begun + 1;
                begun = round;
                System.arraycopy(source, 0, target, 0, source.length);
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
