package org.naklab.messaging.lbtrm;

import java.util.concurrent.TimeUnit;

/**
 * LBT-RM's retransmit rate limit as a bucket of bytes: it fills at the rate, and is charged with what really was
 * retransmitted. A NAK brings back no more than the bucket holds; the receiver asks again for the rest.
 * Not thread-safe: the context's thread owns it.
 */
public final class RetransmitLimiter {
    /**
     * What the bucket holds leaves in one go: LBT-RM's default rate interval's worth. At the default rate that is 65 small
     * datagrams, which take 54,080 bytes of a healthy receiver's socket buffer by Linux's accounting.
     */
    public static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final long bytesPerSecond;
    private final long burstBytes;
    private long availableBytes;
    private long filledNs;
    private long chargedBytes;

    /**
     * Creates a limiter whose burst is available at once.
     *
     * @param nowNs the driver's clock
     * @param minimumBurstBytes the longest datagram, so that one always gets through
     */
    public RetransmitLimiter(long bitsPerSecond, long nowNs, int minimumBurstBytes) {
        this.bytesPerSecond = Math.max(1, bitsPerSecond / 8);
        this.burstBytes = Math.max(minimumBurstBytes, bytesIn(BURST_NS));
        this.availableBytes = burstBytes;
        this.filledNs = nowNs;
    }

    /**
     * Returns the bytes that may be retransmitted now.
     *
     * @param nowNs the driver's clock
     * @param retransmittedBytes retransmitted since the driver's start, as counted by the driver
     */
    public long availableBytes(long nowNs, long retransmittedBytes) {
        availableBytes -= retransmittedBytes - chargedBytes;
        chargedBytes = retransmittedBytes;
        fill(nowNs);
        return Math.max(0, availableBytes);
    }

    private void fill(long nowNs) {
        long bytes = bytesIn(Math.min(nowNs - filledNs, SECOND_NS));
        if (availableBytes + bytes >= burstBytes) {
            availableBytes = burstBytes;
            filledNs = nowNs;
        } else {
            availableBytes += bytes;
            // The fraction of a byte that is left over counts next time.
            filledNs += bytes * SECOND_NS / bytesPerSecond;
        }
    }

    private long bytesIn(long ns) {
        return bytesPerSecond * ns / SECOND_NS;
    }
}
