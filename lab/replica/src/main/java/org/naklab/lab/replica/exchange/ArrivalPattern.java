package org.naklab.lab.replica.exchange;

import org.naklab.exchange.synthetic.Arrival;

/** The distribution of synthetic events around their mean rate. */
public enum ArrivalPattern {
    CONSTANT {
        @Override
        Arrival of(long eventsPerSecond) {
            return Arrival.constant(NS_PER_SECOND / eventsPerSecond);
        }
    },
    /** Bursts of a hundred events on average, ten times as fast as the mean. */
    BURSTY {
        @Override
        Arrival of(long eventsPerSecond) {
            long gapNs = NS_PER_SECOND / eventsPerSecond;
            return Arrival.bursty(gapNs, MEAN_BURST_EVENTS, gapNs / 10);
        }
    };

    private static final long NS_PER_SECOND = 1_000_000_000;
    private static final int MEAN_BURST_EVENTS = 100;

    abstract Arrival of(long eventsPerSecond);
}
