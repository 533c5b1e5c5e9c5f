package org.naklab.faults.kind;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultException;

/**
 * A thread that copies large arrays in a counted loop until its time is up. Compiled, such a loop polls for safepoints after a thousand rounds at
 * the earliest (loop strip mining) or not at all, and neither a copy nor a look at the clock polls; so the loop is one long way to the next
 * safepoint. The clock ends it, because a copy takes longer beside other work than before.
 */
final class SlowToSafepoint {
    /** The length of one copy: a thousand of them take longer than the longest pause. */
    private static final int COPY_BYTES = 8 << 20;

    private static final int MAX_ROUNDS = 1_000;
    private static final int WARM_UP_CALLS = 20_000;
    private static final int WARM_UP_ROUNDS = 200;
    /** A short pause shows whether the loop is compiled without polls. */
    private static final long TRIAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int MAX_TRIALS = 20;
    private static final long JOIN_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(30);

    private final byte[] halves = new byte[2 * COPY_BYTES];
    private volatile boolean underWay;
    private volatile long endNs;

    /** Has the loop compiled, however long the compiler takes on a busy machine. */
    void prepare() {
        warmUp();
        for (int i = 0; i < MAX_TRIALS && !waitForSafepoint(TRIAL_NS).wasForLaggard(); i++) {
            warmUp();
        }
    }

    /** The loop must have ended in both ways: code that has not run is not compiled. */
    private void warmUp() {
        long nowNs = System.nanoTime();
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            copy(1, i % 2 == 0 ? nowNs : Long.MAX_VALUE, WARM_UP_ROUNDS);
        }
        copy(COPY_BYTES, Long.MAX_VALUE, 1);
    }

    private void copy(int lengthBytes, long untilNs, int rounds) {
        for (int i = 0; i < rounds; i++) {
            if (System.nanoTime() >= untilNs) {
                return;
            }
            System.arraycopy(halves, 0, halves, COPY_BYTES, lengthBytes);
        }
    }

    /** Asks for a VM operation at a safepoint while the thread is in its loop. */
    Wait waitForSafepoint(long pauseNs) {
        underWay = false;
        Thread thread = new Thread(() -> run(pauseNs), "fault-slow-to-safepoint");
        thread.setDaemon(true);
        thread.start();
        while (!underWay) {
            Thread.onSpinWait();
        }
        long beginNs = System.nanoTime();
        ManagementFactory.getThreadMXBean().findDeadlockedThreads();
        long operationEndNs = System.nanoTime();
        join(thread);
        return new Wait(beginNs, operationEndNs, endNs);
    }

    private void run(long pauseNs) {
        long untilNs = System.nanoTime() + pauseNs;
        underWay = true;
        copy(COPY_BYTES, untilNs, MAX_ROUNDS);
        endNs = System.nanoTime();
    }

    private static void join(Thread thread) {
        try {
            thread.join(JOIN_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FaultException("interrupted during a safepoint pause", e);
        }
    }

    /**
     * A VM operation, and when the loop came to its end.
     *
     * @param beginNs CLOCK_MONOTONIC when it was asked for
     * @param endNs CLOCK_MONOTONIC when it was done
     * @param laggardEndNs CLOCK_MONOTONIC when the loop was over
     */
    record Wait(long beginNs, long endNs, long laggardEndNs) {
        long durationNs() {
            return endNs - beginNs;
        }

        /** Had the loop polled, the operation would have been over before it. Its end is written down after its last poll. */
        boolean wasForLaggard() {
            long laterNs = laggardEndNs - endNs;
            return laterNs < durationNs() / 10;
        }
    }
}
