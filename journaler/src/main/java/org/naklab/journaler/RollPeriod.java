package org.naklab.journaler;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
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

    /** The name that Chronicle gives the file of that time, in milliseconds since the epoch. */
    String fileName(long timeMs) {
        long startMs = fileEndMs(timeMs) - rollCycle.lengthInMillis();
        return DateTimeFormatter.ofPattern(rollCycle.format(), Locale.ROOT)
                        .withZone(ZoneOffset.UTC)
                        .format(Instant.ofEpochMilli(startMs))
                + ".cq4";
    }

    /** When that file has ended, in milliseconds since the epoch. */
    long fileEndMs(long timeMs) {
        long lengthMs = rollCycle.lengthInMillis();
        return (Math.floorDiv(timeMs, lengthMs) + 1) * lengthMs;
    }
}
