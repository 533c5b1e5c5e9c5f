package org.naklab.journaler;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.rollcycles.TestRollCycles;

/** Tells how long one file of a journal lasts, in receive time and UTC. */
public enum RollPeriod {
    /** For experiments with the roll: up to 2^31 events a file. */
    SECOND,
    /** Up to 2^30 events a file. */
    FIVE_MINUTES,
    /** Up to 2^32 events a file: more than any feed sends in an hour. */
    HOUR,
    /** Up to 2^32 events a file: a trading day at up to 49,000 events a second around the clock. */
    DAY;

    RollCycle rollCycle() {
        return switch (this) {
            case SECOND -> TestRollCycles.TEST_SECONDLY;
            case FIVE_MINUTES -> RollCycles.FIVE_MINUTELY;
            case HOUR -> RollCycles.FAST_HOURLY;
            case DAY -> RollCycles.FAST_DAILY;
        };
    }

    /** The name that Chronicle gives the file of that time, in milliseconds since the epoch. */
    String fileName(long timeMs) {
        long startMs = fileEndMs(timeMs) - rollCycle().lengthInMillis();
        return DateTimeFormatter.ofPattern(rollCycle().format(), Locale.ROOT)
                        .withZone(ZoneOffset.UTC)
                        .format(Instant.ofEpochMilli(startMs))
                + ".cq4";
    }

    /** Returns when that file has ended, in milliseconds since the epoch. */
    long fileEndMs(long timeMs) {
        long lengthMs = rollCycle().lengthInMillis();
        return (Math.floorDiv(timeMs, lengthMs) + 1) * lengthMs;
    }
}
