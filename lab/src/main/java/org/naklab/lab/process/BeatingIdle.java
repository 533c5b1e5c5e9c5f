package org.naklab.lab.process;

import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.detect.Heartbeat;
import org.naklab.subscriber.ServiceCounters;

/**
 * Beats once a duty cycle, when the context thread has done its work and may idle; and tells, twice a millisecond, how far the
 * ring's consumers are behind. Allocates nothing.
 */
public final class BeatingIdle implements IdleStrategy {
    /** The consumers' counts are other threads': to read them makes both wait. Who looks from outside does so once a millisecond at most. */
    private static final long TELL_NS = 500_000;

    private final IdleStrategy delegate;
    private final Heartbeat heartbeat;
    private volatile @Nullable ServiceCounters counters;
    private long toldNs = System.nanoTime() - TELL_NS;

    public BeatingIdle(IdleStrategy delegate, Heartbeat heartbeat) {
        this.delegate = delegate;
        this.heartbeat = heartbeat;
    }

    /** From now on the consumers' progress is told as well. */
    public void tell(ServiceCounters newCounters) {
        counters = newCounters;
    }

    @Override
    public void idle(int workCount) {
        beat();
        delegate.idle(workCount);
    }

    @Override
    public void idle() {
        beat();
        delegate.idle();
    }

    @Override
    public void reset() {
        delegate.reset();
    }

    private void beat() {
        long nowNs = System.nanoTime();
        heartbeat.beat(nowNs);
        if (nowNs - toldNs >= TELL_NS) {
            toldNs = nowNs;
            tellConsumers();
        }
    }

    private void tellConsumers() {
        ServiceCounters known = counters;
        if (known != null) {
            heartbeat.consumers(known.received(), known.applied(), known.journaled());
        }
    }
}
