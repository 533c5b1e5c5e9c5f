package org.naklab.lab.terminal;

import org.naklab.lab.core.Cancellation;

/** Ctrl-C: the run's own thread ends what it started; the hook only asks and waits. */
public final class ShutdownHook {
    /** All that a run takes to end in order: final reports, repair, journal forced to disk. */
    private static final long TIMEOUT_MS = 60_000;

    private ShutdownHook() {}

    /** Does something that ends early when it is cancelled. */
    @FunctionalInterface
    public interface Cancellable<T> {
        T run(Cancellation cancellation) throws Exception;
    }

    /** Returns a result, or that of a work which a signal has ended early. */
    public static <T> T untilSignal(Cancellable<T> work) throws Exception {
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> await(cancellation), "wind-down"));
        try {
            return work.run(cancellation);
        } finally {
            cancellation.done();
        }
    }

    public static void await(Cancellation cancellation) {
        cancellation.request();
        try {
            cancellation.awaitDone(TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
