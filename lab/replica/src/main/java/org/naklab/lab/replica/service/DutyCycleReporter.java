package org.naklab.lab.replica.service;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.threads.DutyCycleTracker;
import org.naklab.messaging.DutyCycleListener;
import org.naklab.subscriber.ServiceCounters;

/**
 * Beats once a duty cycle, when the context thread has done its work and may idle; says when its callbacks are over; and tells, twice a millisecond, how far the
 * ring's consumers are behind. Allocates nothing, and does not look at the clock.
 */
public final class DutyCycleReporter implements DutyCycleListener {
    /** The consumers' counts are other threads': to read them makes both wait. Who looks from outside does so once a millisecond at most. */
    private static final long TELL_NS = 500_000;

    private final DutyCycleTracker heartbeat;
    private volatile @Nullable ServiceCounters counters;
    private long toldNs = System.nanoTime() - TELL_NS;

    public DutyCycleReporter(DutyCycleTracker heartbeat) {
        this.heartbeat = heartbeat;
    }

    /** Reports the progress of the consumers as well, from now on. */
    public void observe(ServiceCounters newCounters) {
        counters = newCounters;
    }

    @Override
    public void onPolled(long timeNs) {
        heartbeat.callbacksEnd(timeNs);
    }

    @Override
    public void onCycleEnd(long timeNs) {
        heartbeat.beat(timeNs);
        if (timeNs - toldNs >= TELL_NS) {
            toldNs = timeNs;
            reportConsumers();
        }
    }

    private void reportConsumers() {
        ServiceCounters known = counters;
        if (known != null) {
            heartbeat.consumers(known.received(), known.applied(), known.journaled());
        }
    }
}
