package org.naklab.lab.core;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lets a signal handler end a run in order: it asks, the run's own thread winds down, the handler waits for that. */
public final class Cancellation {
    /** Says why a run that was asked to end has no result. */
    public static final String INTERRUPTED = "interrupted";

    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean requested;
    /** In a work that a request interrupts. */
    private @Nullable Thread interruptible;

    public synchronized void request() {
        requested = true;
        if (interruptible != null) {
            interruptible.interrupt();
        }
    }

    /**
     * Does a work that a request interrupts, also one that was made before. The calling thread is not interrupted any more when this returns.
     *
     * @param work gives up what it waits for when it is interrupted; one at a time
     */
    public void interruptibly(Runnable work) {
        synchronized (this) {
            interruptible = Thread.currentThread();
            if (requested) {
                interruptible.interrupt();
            }
        }
        try {
            work.run();
        } finally {
            synchronized (this) {
                interruptible = null;
                boolean unused = Thread.interrupted();
            }
        }
    }

    public boolean isRequested() {
        return requested;
    }

    /** The last run has left nothing behind. */
    public void done() {
        done.countDown();
    }

    /** Waits for {@link #done()}, and tells whether it came within the time. */
    public boolean awaitDone(long timeoutMs) throws InterruptedException {
        return done.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /**
     * Ends a run that was asked to end.
     *
     * @throws LabException it was asked to end
     */
    public void check() {
        if (requested) {
            throw new LabException(INTERRUPTED);
        }
    }
}
