package org.naklab.subscriber;

import org.agrona.BitUtil;
import org.naklab.messaging.publication.RateLimit;

/**
 * Spaces snapshots out evenly, below a rate limit by so much that no interval of the transport's rate controller, wherever it
 * begins, sees its whole budget spent. Not thread-safe.
 */
final class SnapshotPacer {
    /** Aeron's header and alignment, which the transport counts too. */
    private static final int FRAME_BYTES = 32;

    private final long intervalNs;
    private final long bytesPerInterval;
    private boolean hasSent;
    private long nextNs;

    /**
     * Paces below a rate limit.
     *
     * @param maxLengthBytes of a snapshot
     * @throws IllegalArgumentException when the limit has no room for two snapshots an interval
     */
    SnapshotPacer(RateLimit rateLimit, int maxLengthBytes) {
        intervalNs = rateLimit.intervalNs();
        // An interval holds what the pace gives, and one snapshot more when the first goes out as it begins.
        bytesPerInterval = rateLimit.budgetBytes() - wireBytes(maxLengthBytes);
        if (bytesPerInterval < wireBytes(maxLengthBytes)) {
            throw new IllegalArgumentException("the snapshot rate limit leaves " + rateLimit.budgetBytes()
                    + " bytes an interval; two snapshots take " + 2 * wireBytes(maxLengthBytes));
        }
    }

    /** Returns whether a snapshot may go out. */
    boolean isDue(long nowNs) {
        return !hasSent || nowNs - nextNs >= 0;
    }

    /** A snapshot went out. */
    void onSent(long nowNs, int lengthBytes) {
        hasSent = true;
        nextNs = nowNs + wireBytes(lengthBytes) * intervalNs / bytesPerInterval;
    }

    private static long wireBytes(int lengthBytes) {
        return BitUtil.align(lengthBytes + FRAME_BYTES, FRAME_BYTES);
    }
}
