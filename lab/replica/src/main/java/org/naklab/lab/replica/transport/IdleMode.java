package org.naklab.lab.replica.transport;

import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.naklab.messaging.Backoff;

/** The idle strategy of the threads of the replica. */
public enum IdleMode {
    BACKOFF {
        @Override
        public IdleStrategy newStrategy() {
            return Backoff.newStrategy();
        }
    },
    /** Spins; for machines with a free core for each context, ring and journal thread. */
    SPIN {
        @Override
        public IdleStrategy newStrategy() {
            return new BusySpinIdleStrategy();
        }
    };

    /** Creates a strategy for one thread: strategies keep state. */
    public abstract IdleStrategy newStrategy();
}
