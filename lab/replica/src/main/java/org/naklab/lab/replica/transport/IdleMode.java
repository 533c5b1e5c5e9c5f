package org.naklab.lab.replica.transport;

import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.naklab.messaging.Backoff;

/** What a thread of the replica does when it finds nothing to do. */
public enum IdleMode {
    BACKOFF {
        @Override
        public IdleStrategy newStrategy() {
            return Backoff.newStrategy();
        }
    },
    /** For machines with a core to spare for each context, ring and journal thread. */
    SPIN {
        @Override
        public IdleStrategy newStrategy() {
            return new BusySpinIdleStrategy();
        }
    };

    /** A strategy of its own for each thread: they keep state. */
    public abstract IdleStrategy newStrategy();
}
