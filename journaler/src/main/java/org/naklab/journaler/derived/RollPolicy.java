package org.naklab.journaler.derived;

import java.util.concurrent.TimeUnit;

/**
 * Tells when a derived file ends and the next begins: when a record would make it longer than a size, or belongs to another
 * interval. Intervals are counted from the epoch in receive time, so the same journal gives the same files whenever they are
 * written.
 *
 * @param maxBytes the longest that a file grows; one record is written however long it is
 * @param intervalNs how long a file lasts
 */
public record RollPolicy(long maxBytes, long intervalNs) {
    /** Files of 64 MiB or an hour. */
    public static final RollPolicy DEFAULT = new RollPolicy(64L << 20, TimeUnit.HOURS.toNanos(1));

    /**
     * Checks both limits.
     *
     * @throws IllegalArgumentException if either is not positive
     */
    public RollPolicy {
        if (maxBytes <= 0 || intervalNs <= 0) {
            throw new IllegalArgumentException("a roll policy needs a size and an interval above 0");
        }
    }

    long interval(long receiveTimestampNs) {
        return Math.floorDiv(receiveTimestampNs, intervalNs);
    }
}
