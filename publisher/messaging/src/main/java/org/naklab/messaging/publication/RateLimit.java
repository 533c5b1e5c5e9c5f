package org.naklab.messaging.publication;

import java.util.concurrent.TimeUnit;

/**
 * A budget of bits per interval, as the data rate limit and rate interval of LBT-RM.
 *
 * @param bitsPerSecond at least one datagram's worth an interval
 * @param intervalNs length of the interval; LBT-RM knows 5, 10, 20, 50 and 100 ms
 */
public record RateLimit(long bitsPerSecond, long intervalNs) {
    /** The incident's interval. */
    public static final long INCIDENT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    public RateLimit {
        if (bitsPerSecond <= 0) {
            throw new IllegalArgumentException("rate limit must be positive: " + bitsPerSecond + " bit/s");
        }
        if (intervalNs <= 0) {
            throw new IllegalArgumentException("rate-limit interval must be positive: " + intervalNs + " ns");
        }
    }

    /** Bytes that may be sent within one interval. */
    public long budgetBytes() {
        return Math.max(1, Math.multiplyExact(bitsPerSecond, intervalNs / 1_000) / 1_000_000 / 8);
    }
}
