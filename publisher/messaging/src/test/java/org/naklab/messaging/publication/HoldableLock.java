package org.naklab.messaging.publication;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A lock for tests on one thread, which can be held as if by another. */
final class HoldableLock implements Lock {
    boolean isHeldElsewhere;
    private boolean isLocked;

    @Override
    public void lock() {
        if (!tryLock()) {
            throw new AssertionError("a sender would wait for ever");
        }
    }

    @Override
    public boolean tryLock() {
        if (isHeldElsewhere) {
            return false;
        }
        if (isLocked) {
            throw new AssertionError("locked twice");
        }
        isLocked = true;
        return true;
    }

    @Override
    public void unlock() {
        isLocked = false;
    }

    @Override
    public void lockInterruptibly() {
        lock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        return tryLock();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException();
    }
}
