package org.naklab.lab.process;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** What a thread of the replica does when it finds nothing to do. */
public enum Idle {
    BACKOFF {
        @Override
        public IdleStrategy newStrategy() {
            return new BackoffIdleStrategy(MAX_SPINS, MAX_YIELDS, PARK_NS, PARK_NS);
        }
    },
    /** For machines with a core to spare for each context, ring and journal thread. */
    SPIN {
        @Override
        public IdleStrategy newStrategy() {
            return new BusySpinIdleStrategy();
        }
    };

    private static final long MAX_SPINS = 10;
    /** Threads that outnumber the processors would hand them to each other, a hundred thousand times a second. */
    private static final long MAX_YIELDS = 0;
    /** Far below what a socket buffer holds at any rate the lab runs at. */
    private static final long PARK_NS = 200_000;

    /** A strategy of its own for each thread: they keep state. */
    public abstract IdleStrategy newStrategy();
}
