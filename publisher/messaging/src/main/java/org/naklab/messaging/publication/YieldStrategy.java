package org.naklab.messaging.publication;

/**
 * Tells what the context thread does when it fails to get the wake-up lock at the end of a rate-limit interval. The seam at which
 * the lab puts a lazily bound {@code sched_yield}.
 */
@FunctionalInterface
public interface YieldStrategy {
    /** Gives the processor away once. Called on the context thread. */
    void yieldOnce();

    /** {@link Thread#yield()}: the JVM's own {@code sched_yield}, bound when libjvm was loaded. */
    static YieldStrategy ofThread() {
        return Thread::yield;
    }

    /** Keeps the processor: the thread goes on with its duty cycle, and tries again in the next one. */
    static YieldStrategy none() {
        return () -> {};
    }
}
