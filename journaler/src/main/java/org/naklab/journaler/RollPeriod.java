package org.naklab.journaler;

import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.RollCycles;

/** How long one file of a journal lasts, in receive time and UTC. */
public enum RollPeriod {
    /** Up to 2^30 events a file. */
    FIVE_MINUTES(RollCycles.FIVE_MINUTELY),
    /** Up to 2^32 events a file: more than any feed sends in an hour. */
    HOUR(RollCycles.FAST_HOURLY),
    /** Up to 2^32 events a file: a trading day at up to 49,000 events a second around the clock. */
    DAY(RollCycles.FAST_DAILY);

    private final RollCycles rollCycle;

    RollPeriod(RollCycles rollCycle) {
        this.rollCycle = rollCycle;
    }

    RollCycle rollCycle() {
        return rollCycle;
    }
}
