package org.naklab.lab.replica.exchange;

import org.naklab.exchange.pacing.Pacer;
import org.naklab.lab.core.Units;
import org.naklab.messaging.feed.OrderEvent;

/**
 * A constant rate that is reached gently: while the JVMs still compile what they run, the rate rises evenly from a tenth. What a
 * cold start loses would otherwise be taken for the loss that is looked for.
 *
 * <pre>
 *   rate ┤        ┌────────────
 *        │     ／
 *   1/10 ┤ ／
 *        └──────────┴────────── time
 *                 warm-up
 * </pre>
 */
final class RampUpPacer implements Pacer {
    private static final double FIRST = 0.1;
    private static final double RISE = 1 - FIRST;

    private final Pacer constant;
    private final double eventsPerWarmUp;
    private final long warmUpNs;
    private final long warmUpEvents;

    /**
     * @param eventsPerSecond from the warm-up's end on
     * @param warmUpNs how long the rate rises
     */
    RampUpPacer(long eventsPerSecond, long warmUpNs) {
        constant = Pacer.constantRate(eventsPerSecond);
        this.warmUpNs = warmUpNs;
        eventsPerWarmUp = eventsPerSecond * (warmUpNs / Units.NS_PER_S);
        warmUpEvents = (long) (eventsPerWarmUp * (FIRST + RISE / 2));
    }

    @Override
    public long dueNs(OrderEvent next, long index) {
        if (index >= warmUpEvents) {
            return warmUpNs + constant.dueNs(next, index - warmUpEvents);
        }
        // With x the part of the warm-up that is over, the events so far are eventsPerWarmUp * (FIRST x + RISE x² / 2).
        double part = (Math.sqrt(FIRST * FIRST + 2 * RISE * index / eventsPerWarmUp) - FIRST) / RISE;
        return (long) (part * warmUpNs);
    }
}
