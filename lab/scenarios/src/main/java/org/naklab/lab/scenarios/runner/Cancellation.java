package org.naklab.lab.scenarios.runner;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.LabException;
import org.naklab.lab.scenarios.RunOutcome;

/** Lets a signal handler end a run in order: it asks, the run's own thread winds down, the handler waits for that. */
public final class Cancellation {
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

    /** @throws LabException when it has been asked for */
    void check() {
        if (requested) {
            throw new LabException(RunOutcome.INTERRUPTED);
        }
    }
}
