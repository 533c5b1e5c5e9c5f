package org.naklab.messaging;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Tells what a thread of the replica does by default when it finds nothing to do: it looks again a few times, then parks. It does not yield: threads
 * that outnumber the processors would hand them to each other, a hundred thousand times a second.
 */
public final class Backoff {
    private static final long MAX_SPINS = 10;
    private static final long MAX_YIELDS = 0;

    /** Far below what a socket buffer holds at any rate the lab runs at. */
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private Backoff() {}

    /** A strategy of its own for each thread: they keep state. */
    public static IdleStrategy newStrategy() {
        return new BackoffIdleStrategy(MAX_SPINS, MAX_YIELDS, PARK_NS, PARK_NS);
    }
}
