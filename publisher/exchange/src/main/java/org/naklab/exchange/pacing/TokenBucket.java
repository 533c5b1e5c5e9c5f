package org.naklab.exchange.pacing;

import org.naklab.messaging.publication.RateLimit;

/**
 * A rate limit in the sender's own code. Tokens are bytes on the wire; they drip in evenly, so that over any time t no more
 * than rate × t plus the bucket's content pass.
 */
public final class TokenBucket {
    private static final long BITS_PER_BYTE_NANO = 8_000_000_000L;

    /** The bucket holds what drips in within this time, so that pacing keeps its rate between two duty cycles. */
    private static final long CONTENT_NS = 1_000_000;

    private static final int MIN_CONTENT_BYTES = 256;

    private final long bitsPerSecond;
    private final long contentBytes;
    private long bytes;
    private long remainder;
    private long lastNs;

    public TokenBucket(RateLimit limit, long nowNs) {
        bitsPerSecond = limit.bitsPerSecond();
        contentBytes = Math.max(MIN_CONTENT_BYTES, toBytes(CONTENT_NS));
        bytes = contentBytes;
        lastNs = nowNs;
    }

    /** Returns whether {@code wireBytes} may be sent now; takes nothing. */
    public boolean has(int wireBytes, long nowNs) {
        refill(nowNs);
        return bytes >= wireBytes;
    }

    public void take(int wireBytes) {
        bytes -= wireBytes;
    }

    private void refill(long nowNs) {
        long elapsedNs = nowNs - lastNs;
        lastNs = nowNs;
        long timeToFillNs = Math.multiplyExact(contentBytes, BITS_PER_BYTE_NANO) / bitsPerSecond + 1;
        if (elapsedNs >= timeToFillNs) {
            bytes = contentBytes;
            remainder = 0;
            return;
        }
        long dripped = Math.multiplyExact(bitsPerSecond, elapsedNs) + remainder;
        remainder = dripped % BITS_PER_BYTE_NANO;
        bytes = Math.min(contentBytes, bytes + dripped / BITS_PER_BYTE_NANO);
    }

    private long toBytes(long durationNs) {
        return (long) ((double) bitsPerSecond * durationNs / BITS_PER_BYTE_NANO);
    }
}
