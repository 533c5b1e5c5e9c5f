package org.naklab.faults.kind;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;
import org.naklab.faults.seam.OverBudgetSender;
import org.naklab.faults.seam.WakeUpLocks;

/**
 * A thread that waits for the rate limit to be hit, takes the wake-up locks, and gives them back once the limiter has found
 * them held: a real holder of a real lock.
 */
final class LockHolder implements Fault, WakeUpLocks.Observer {
    private static final long NONE = Long.MIN_VALUE;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOIN_TIMEOUT_MS = 5_000;

    private final RateLimitYieldFault.Parameters parameters;
    private final WakeUpLocks locks;
    private final @Nullable OverBudgetSender drive;
    private final ProofLog log = new ProofLog();
    private final Thread thread = new Thread(this::run, "fault-lock-holder");
    private volatile boolean armed;
    private volatile long hitNs = NONE;
    private volatile long wakeFailedNs = NONE;

    LockHolder(RateLimitYieldFault.Parameters parameters, WakeUpLocks locks, @Nullable OverBudgetSender drive) {
        this.parameters = parameters;
        this.locks = locks;
        this.drive = drive;
    }

    @Override
    public void arm() {
        armed = true;
        locks.observe(this);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void onRateLimitHit(long timeNs) {
        log.add("rateLimitHits", 1);
        if (sinceSecondBoundaryNs() < parameters.windowNs()) {
            hitNs = timeNs;
            LockSupport.unpark(thread);
        } else {
            log.add("hitsOutsideWindow", 1);
        }
    }

    @Override
    public void onWakeFailed(long timeNs) {
        wakeFailedNs = timeNs;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (armed && log.firings() < parameters.times()) {
            if (drive == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, SECOND_NS - sinceSecondBoundaryNs());
                if (armed && sinceSecondBoundaryNs() < parameters.windowNs()) {
                    drive.exceedBudget().run();
                }
            }
            if (armed && hitNs != NONE) {
                hitNs = NONE;
                hold();
            }
        }
    }

    private void hold() {
        wakeFailedNs = NONE;
        locks.lockAll();
        long beginNs = System.nanoTime();
        try {
            long leftNs = parameters.maxHoldNs();
            while (armed && wakeFailedNs == NONE && leftNs > 0) {
                LockSupport.parkNanos(this, leftNs);
                leftNs = beginNs + parameters.maxHoldNs() - System.nanoTime();
            }
        } finally {
            locks.unlockAll();
        }
        log.add("holds", 1);
        if (wakeFailedNs != NONE) {
            log.fired(beginNs, System.nanoTime(), "wake-up failed");
        }
    }

    private static long sinceSecondBoundaryNs() {
        return Math.floorMod(SystemEpochNanoClock.INSTANCE.nanoTime(), SECOND_NS);
    }

    @Override
    public void disarm() {
        locks.leave(this);
        if (!armed) {
            return;
        }
        armed = false;
        LockSupport.unpark(thread);
        try {
            thread.join(JOIN_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public FaultProof proof() {
        return log.proof(
                "the limiter found its lock held, and yielded",
                log.figure("rateLimitHits") == 0
                        ? "the rate limit was never hit"
                        : log.figure("holds") == 0
                                ? "every hit of the rate limit was outside the window"
                                : "the limiter did not try its lock while it was held");
    }
}
