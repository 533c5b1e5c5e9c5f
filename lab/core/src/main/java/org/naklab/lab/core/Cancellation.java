package org.naklab.lab.core;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a signal handler end a run in order: it asks, the run's own thread winds down, the handler waits for that. */
public final class Cancellation {
    /** Says why a run that was asked to end has no result. */
    public static final String INTERRUPTED = "interrupted";

    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean requested;

    public void request() {
        requested = true;
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
