package org.naklab.lab.replica.exchange;

import org.naklab.exchange.synthetic.Arrival;
import org.naklab.lab.core.Units;

/** The distribution of synthetic events around their mean rate. */
public enum ArrivalPattern {
    CONSTANT {
        @Override
        Arrival of(long eventsPerSecond) {
            return Arrival.constant(Units.SECOND_NS / eventsPerSecond);
        }
    },
    /** Bursts of a hundred events on average, ten times as fast as the mean. */
    BURSTY {
        @Override
        Arrival of(long eventsPerSecond) {
            long gapNs = Units.SECOND_NS / eventsPerSecond;
            return Arrival.bursty(gapNs, MEAN_BURST_EVENTS, gapNs / 10);
        }
    };

    private static final int MEAN_BURST_EVENTS = 100;

    abstract Arrival of(long eventsPerSecond);
}
