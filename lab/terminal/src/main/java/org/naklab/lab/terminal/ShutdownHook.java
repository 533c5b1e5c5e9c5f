package org.naklab.lab.terminal;

import org.naklab.lab.core.Cancellation;

/** Ctrl-C: the run's own thread ends what it started; the hook only asks and waits. */
public final class ShutdownHook {
    /** All that a run takes to end in order: last words, repair, journal forced to disk. */
    private static final long TIMEOUT_MS = 60_000;

    private ShutdownHook() {}

    public static void await(Cancellation cancellation) {
        cancellation.request();
        try {
            cancellation.awaitDone(TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
