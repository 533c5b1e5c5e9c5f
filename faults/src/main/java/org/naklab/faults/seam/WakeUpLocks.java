package org.naklab.faults.seam;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a rate limiter takes to wake blocked senders: plain locks, that a fault may hold as any other thread may. The
 * limiter's owner calls {@link #onRateLimitHit} and {@link #onWakeFailed}; both return at once.
 */
public final class WakeUpLocks implements Supplier<Lock> {
    private final List<Lock> locks = new CopyOnWriteArrayList<>();
    private volatile @Nullable Observer observer;

    /** Another lock, for another limiter. */
    @Override
    public Lock get() {
        Lock lock = new ReentrantLock();
        locks.add(lock);
        return lock;
    }

    /** A sender went over its budget. {@code timeNs} is CLOCK_MONOTONIC. */
    public void onRateLimitHit(long timeNs) {
        Observer current = observer;
        if (current != null) {
            current.onRateLimitHit(timeNs);
        }
    }

    /** A limiter found its lock held when it wanted to wake senders. {@code timeNs} is CLOCK_MONOTONIC. */
    public void onWakeFailed(long timeNs) {
        Observer current = observer;
        if (current != null) {
            current.onWakeFailed(timeNs);
        }
    }

    /** From now on this one observes, in place of another. */
    public void observe(Observer newObserver) {
        observer = newObserver;
    }

    /** From now on this one does not. */
    public void leave(Observer oldObserver) {
        if (observer == oldObserver) {
            observer = null;
        }
    }

    /** Takes all locks, waiting for each. */
    public void lockAll() {
        locks.forEach(Lock::lock);
    }

    /** Gives all locks back. */
    public void unlockAll() {
        locks.forEach(Lock::unlock);
    }

    /** Learns what the limiter's owner reports, on the reporting thread. */
    public interface Observer {
        void onRateLimitHit(long timeNs);

        void onWakeFailed(long timeNs);
    }
}
