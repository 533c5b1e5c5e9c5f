package org.naklab.faults.kind;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultException;

/**
 * A thread that copies large arrays in a counted loop. Compiled, such a loop polls for safepoints after a thousand rounds at
 * the earliest (loop strip mining) or not at all, and a copy does not poll either; so the loop is one long way to the next
 * safepoint.
 */
final class SlowToSafepoint {
    private static final int COPY_BYTES = 2 << 20;
    private static final int MAX_ROUNDS = 1_000;
    private static final int WARM_UP_CALLS = 50_000;
    private static final int WARM_UP_ROUNDS = 200;
    private static final int CALIBRATION_ROUNDS = 20;
    /** A short pause shows whether the loop is compiled without polls. */
    private static final long TRIAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int MAX_TRIALS = 20;
    private static final long JOIN_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(30);

    private final byte[] source = new byte[COPY_BYTES];
    private final byte[] target = new byte[COPY_BYTES];
    private volatile boolean underWay;
    private volatile long endNs;
    private long copyNs;

    /** Has the loop compiled, however long the compiler takes on a busy machine, and measures a round. */
    void prepare() {
        warmUp();
        for (int i = 0; i < MAX_TRIALS && !waitForSafepoint(TRIAL_NS).wasForLaggard(); i++) {
            warmUp();
        }
    }

    private void warmUp() {
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            copy(WARM_UP_ROUNDS, 1);
        }
        copy(1, COPY_BYTES);
        copyNs = fastestCopyNs();
    }

    /** A round in which the machine stood still would make the others seem long, and the pause short. */
    private long fastestCopyNs() {
        long fastestNs = Long.MAX_VALUE;
        for (int i = 0; i < CALIBRATION_ROUNDS; i++) {
            long beginNs = System.nanoTime();
            copy(1, COPY_BYTES);
            fastestNs = Math.min(fastestNs, System.nanoTime() - beginNs);
        }
        return Math.max(1, fastestNs);
    }

    private void copy(int rounds, int lengthBytes) {
        for (int i = 0; i < rounds; i++) {
            System.arraycopy(source, 0, target, 0, lengthBytes);
        }
    }

    /** Asks for a VM operation at a safepoint while the thread is in its loop. */
    Wait waitForSafepoint(long pauseNs) {
        int rounds = (int) Math.min(MAX_ROUNDS, Math.max(1, pauseNs / copyNs));
        underWay = false;
        Thread thread = new Thread(() -> run(rounds), "fault-slow-to-safepoint");
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

    private void run(int rounds) {
        underWay = true;
        copy(rounds, COPY_BYTES);
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
