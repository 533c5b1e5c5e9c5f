package org.naklab.lab.replica.exchange;

import org.naklab.exchange.pacing.Pacer;
import org.naklab.messaging.feed.OrderEvent;

/** A busy morning, begun gently, then a constant rate. */
final class PreloadPacer implements Pacer {
    private final Pacer morning;
    private final Pacer constant;
    private final long morningNs;
    private long firstAfterwards = Long.MAX_VALUE;

    PreloadPacer(Preload morning, long eventsPerSecond) {
        this.morning = new RampUpPacer(morning.eventsPerSecond(), morning.riseNs());
        constant = Pacer.constantRate(eventsPerSecond);
        morningNs = morning.durationNs();
    }

    @Override
    public long dueNs(OrderEvent next, long index) {
        if (index < firstAfterwards) {
            long dueNs = morning.dueNs(next, index);
            if (dueNs < morningNs) {
                return dueNs;
            }
            firstAfterwards = index;
        }
        return morningNs + constant.dueNs(next, index - firstAfterwards);
    }
}
