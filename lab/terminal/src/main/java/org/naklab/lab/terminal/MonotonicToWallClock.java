package org.naklab.lab.terminal;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Tells what a wall clock shows at a time of CLOCK_MONOTONIC, to the millisecond. The two are compared once: a clock that is set meanwhile does
 * not move what is told afterwards against what was told before.
 */
public final class MonotonicToWallClock {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private final ZoneId zone;
    private final Instant reference;
    private final long referenceNs;

    private MonotonicToWallClock(ZoneId zone, Instant reference, long referenceNs) {
        this.zone = zone;
        this.reference = reference;
        this.referenceNs = referenceNs;
    }

    /** Creates a converter for the present offset and the local time zone. */
    public static MonotonicToWallClock ofSystem() {
        return at(ZoneId.systemDefault(), Instant.now(), System.nanoTime());
    }

    /**
     * Returns a clock that converts monotonic times.
     *
     * @param referenceNs the monotonic time at which the wall clock shows {@code reference}
     */
    public static MonotonicToWallClock at(ZoneId zone, Instant reference, long referenceNs) {
        return new MonotonicToWallClock(zone, reference, referenceNs);
    }

    /** Returns what the wall clock shows, such as 14:23:56.636. */
    public String show(long monotonicNs) {
        return FORMAT.format(instant(monotonicNs).atZone(zone));
    }

    /** Returns the time of the wall clock. */
    public Instant instant(long monotonicNs) {
        return reference.plusNanos(monotonicNs - referenceNs);
    }
}
